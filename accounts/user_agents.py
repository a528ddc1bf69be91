"""What people call the browser behind a User-Agent header."""

import re

# The first that matches: Edge and Opera call themselves Chrome too, and Chrome Safari.
_BROWSERS = [
    ("Edge", r"\bEdg(?:e|A|iOS)?/"),
    ("Opera", r"\b(?:OPR|Opera)/"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(?:Firefox|FxiOS)/"),
    ("Chrome", r"\b(?:Chrome|Chromium|CriOS)/"),
    ("Safari", r"\bSafari/"),
]
_SYSTEMS = [
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("Windows", r"\bWindows\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("macOS", r"\bMacintosh\b|\bMac OS X\b"),
    ("Linux", r"\bLinux\b|\bX11\b"),
]


def browser_and_system(user_agent: str) -> tuple[str, str]:
    """Return names such as ("Firefox", "Linux"); what is not known is empty."""
    return _first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent)


def _first(names: list[tuple[str, str]], user_agent: str) -> str:
    return next((name for name, pattern in names if re.search(pattern, user_agent)), "")
