"""The first steps of a person in Chromium: sign in, remember, take along, bring in, undo."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.core import mail
from django.urls import reverse
from playwright.sync_api import Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from memories.models import Memory, State
from spaces.isolation import inside
from spaces.models import Space
from tests.browser.test_memory_pages import session_of
from tests.factories import make_memory, make_space

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
    pytest.mark.django_db(transaction=True),
]


@contextmanager
def opened(session: str = "", *, url: str = "") -> Iterator[Page]:
    """Open a browser; what a page complains about in the console fails the test."""
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        if session:
            cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}
            context.add_cookies([cookie])  # type: ignore[list-item]
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        yield page
        browser.close()
    # A live server of tests has no websockets.
    assert [text for text in said if "WebSocket" not in text] == []


def test_a_newcomer_signs_in_makes_a_space_and_remembers(live_server: LiveServer) -> None:
    with opened() as page:
        page.goto(live_server.url)
        page.get_by_label("E-mail address").fill("ana@example.org")
        page.get_by_role("button", name="Send me a code").click()
        page.locator("[data-code]").wait_for()
        code = re.findall(r"\d{3} ?\d{3}", str(mail.outbox[-1].body))[0]
        page.locator("[data-code]").press_sequentially(code)
        expect(page.get_by_role("heading", level=1)).to_be_visible()

        page.goto(f"{live_server.url}/spaces/new/")
        page.get_by_label("Name").fill("Oyster shop")
        page.get_by_role("button", name="Create the space").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Connect an agent")
        page.get_by_role("link", name="Memories").click()
        page.get_by_role("link", name="Write a memory").click()
        page.get_by_label("What should be remembered").fill("Oysters are sold alive.")
        page.get_by_label("Path").fill("Shop.Oysters")
        page.get_by_role("button", name="Remember it").click()

        expect(page.locator("body")).to_contain_text("Remembered.")
        page.get_by_role("link", name="Memories", exact=True).first.click()
        expect(page.locator("li.row")).to_contain_text("Oysters are sold alive.")


def test_a_space_is_taken_along_and_brought_into_another(
    space: Space, live_server: LiveServer, tmp_path: Path, eager_jobs: None
) -> None:
    make_memory(space, "Oysters are sold alive.")
    other = make_space(owner=space.owner, name="Another")
    session = session_of(space)
    here, there = (reverse("memories:transfer", args=[each.pk]) for each in (space, other))

    with opened(session, url=live_server.url) as page:
        page.goto(live_server.url + here)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        download.value.save_as(tmp_path / "space.json")
        page.goto(live_server.url + there)
        page.locator("input[type=file]").set_input_files(tmp_path / "space.json")
        page.get_by_role("button", name="Look through the file").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("what the file would do")
        page.get_by_role("button", name="Bring it in").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("The file is in")

    with inside(other):
        assert Memory.objects.in_space(other).get().content == "Oysters are sold alive."


def test_an_apps_work_is_undone_and_brought_back(space: Space, live_server: LiveServer) -> None:
    memory = make_memory(space, "Oysters are sold alive.")
    session = session_of(space)

    with opened(session, url=live_server.url) as page:
        page.goto(live_server.url + reverse("memories:undo", args=[space.pk]))
        page.get_by_label("App", exact=True).select_option(label="Claude Code")
        page.get_by_label("Everything since").fill("2020-01-01T00:00")
        page.get_by_role("button", name="Show what would happen").click()
        page.get_by_role("button", name="Take 1 memory back").click()
        undo = page.get_by_role("button", name="Undo this")
        expect(undo).to_be_visible()
        expect(page.locator("body")).to_contain_text("You took back what Claude Code did")
        undo.click()
        expect(page.locator("body")).to_contain_text("You brought back what Claude Code had done")

    with inside(space):
        assert Memory.objects.get(pk=memory.pk).state == State.ACTIVE
