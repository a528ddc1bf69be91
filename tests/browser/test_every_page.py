"""Every page in Chromium: what axe finds, what scrolls sideways, what the console says."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page as Tab
from playwright.sync_api import sync_playwright
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from memories.models import Answer, Question
from spaces.models import Space
from tests.browser.axe import load_axe, violations
from tests.browser.test_memory_pages import filled
from tests.factories import make_space
from tests.memories.services.resolutions.questions import answered, changed, instruction, pair
from tests.pages import Page, open_pages, pages_of

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
    pytest.mark.django_db(transaction=True),
]
WIDTHS = (1280, 360)
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
EVERYTHING = {"runOnly": {"type": "tag", "values": TAGS}}
# A theme changes colours and nothing else.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with a page, in one size and theme."""

    page: str
    width: int
    theme: str
    what: str


# In two parts, for two processes: it takes longer than all other tests.
@pytest.mark.parametrize("part", [0, 1])
def test_no_page_has_anything_to_complain_about(
    space: Space, live_server: LiveServer, part: int
) -> None:
    User.objects.filter(pk=space.owner_id).update(is_staff=True, name="Ana")
    filled(space)
    answered(instruction(space), Answer.KEPT)
    changed(space)
    pair(space, Question.REPEATED, kind="preference")
    client = Client()
    client.force_login(space.owner)
    empty = make_space(owner=space.owner, name="Empty")
    pages = [*pages_of(client, space), *_of_empty(empty)]
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}

    # Nothing may ask the database from here on: Playwright's event loop runs in this thread.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(reduced_motion="reduce")
        found = _look_at(context.new_page(), live_server.url, open_pages()[part::2])
        context.add_cookies([cookie])  # type: ignore[list-item]
        nothing = Page("not-found", "/nothing-here/")
        found += _look_at(context.new_page(), live_server.url, [*pages, nothing][part::2])
        browser.close()

    assert len(pages) > 30
    assert found == []


def _of_empty(space: Space) -> list[Page]:
    """Return the pages that say that there is nothing yet."""
    return [
        Page(f"empty {name}", reverse(f"memories:{name}", args=[space.pk]))
        for name in ("list", "map", "review", "activity", "reads", "health")
    ]


def _look_at(tab: Tab, server: str, pages: list[Page]) -> list[Complaint]:
    said: list[str] = []
    load_axe(tab)
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    found = []
    for page in pages:
        tab.set_viewport_size({"width": WIDTHS[0], "height": 900})
        tab.emulate_media(color_scheme="light")
        tab.goto(server + page.url)
        for summary in tab.locator("details.disclosure > summary").all():
            summary.click()
        for width in WIDTHS:
            tab.set_viewport_size({"width": width, "height": 900})
            # As tall as the page: what sticks to the bottom of a screen covers nothing then.
            height = tab.evaluate("document.documentElement.scrollHeight")
            tab.set_viewport_size({"width": width, "height": max(height, 900)})
            for theme in ("light", "dark"):
                tab.emulate_media(color_scheme="dark" if theme == "dark" else "light")
                rules = EVERYTHING if theme == "light" else COLOURS
                complaints = _complaints(tab, width=width, rules=rules)
                found += [Complaint(page.name, width, theme, what) for what in complaints]
        found += [Complaint(page.name, WIDTHS[0], "light", text) for text in said if text]
        said.clear()
    # A page that is not there is answered with 404, and browsers say so.
    return [each for each in found if not (each.page == "not-found" and "404" in each.what)]


def _complaints(tab: Tab, *, width: int, rules: Mapping[str, object]) -> Iterator[str]:
    if tab.evaluate("document.documentElement.scrollWidth") > width:
        yield "scrolls sideways"
    yield from violations(tab, rules)
