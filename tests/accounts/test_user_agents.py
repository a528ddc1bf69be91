"""Names of browsers."""

import pytest

from accounts.user_agents import browser_and_system

WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("user_agent", "names"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
            ("Firefox", "Linux"),
        ),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME}", ("Chrome", "Windows")),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME} Edg/150.0", ("Edge", "Windows")),
        (f"Mozilla/5.0 (Linux; Android 16; K) {CHROME}", ("Chrome", "Android")),
        (f"Mozilla/5.0 (X11; CrOS x86_64 16000) {CHROME}", ("Chrome", "ChromeOS")),
        (
            f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {WEBKIT} Version/26 Safari/605",
            ("Safari", "macOS"),
        ),
        (
            f"Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) {WEBKIT} CriOS/150 Safari/604",
            ("Chrome", "iPhone"),
        ),
        ("curl/8.0", ("", "")),
        ("", ("", "")),
    ],
)
def test_browsers_are_called_what_people_call_them(user_agent: str, names: tuple[str, str]) -> None:
    assert browser_and_system(user_agent) == names
