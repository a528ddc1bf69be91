"""The pages of memories in Chromium: what axe finds, what scrolls sideways, what the page says."""

import shutil
from collections.abc import Iterator, Mapping

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from memories.queries.lists import PAGE
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.models import Space
from tests.browser.axe import load_axe, violations
from tests.factories import agent_of, make_actor, make_memory, make_space

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
    pytest.mark.django_db(transaction=True),
]
# test_every_page.py takes every page in all four; this one, states that few pages are in.
SCREENS = [(360, "light"), (1280, "dark")]


def filled(space: Space) -> Mapping[str, str]:
    """Fill the space and return the addresses of its pages."""
    for number in range(PAGE + 3):
        make_memory(space, f"Oysters of sort number {number}.", path="Shop.Sale.Oysters")
    memory = make_memory(space, f"<b>{'long' * 80}</b> pay\u202epal", kind="observation")
    person, agent = make_actor(space.owner), agent_of(space)
    change = Revision(content="We deploy on Mondays at noon.", reason="Ana moved it")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    forgotten = make_memory(space, "Oysters come from the north.", actor=person)
    forget_memory(space=space, actor=person, memory_id=forgotten.pk)
    held = make_memory(space, "Oysters come from the north.")
    everything = reverse("memories:list", args=[space.pk])
    empty = make_space(owner=space.owner)
    return {
        "list": everything,
        "nothing matches": f"{everything}?q=chromodynamics",
        "forgotten ones": f"{everything}?state=forgotten",
        "nothing yet": reverse("memories:list", args=[empty.pk]),
        "a memory": memory.get_absolute_url(),
        "one that waits": held.get_absolute_url(),
        "map": reverse("memories:map", args=[space.pk]),
        "map as a list": reverse("memories:map", args=[space.pk]) + "?as=list",
        "empty map": reverse("memories:map", args=[empty.pk]),
        "activity": reverse("memories:activity", args=[space.pk]),
        "no activity": reverse("memories:activity", args=[empty.pk]),
        "undo": reverse("memories:undo", args=[space.pk]),
        "what would be undone": reverse("memories:undo", args=[space.pk])
        + f"?app={agent.client_key}&since=2020-01-01T00:00",
        "write": reverse("memories:new", args=[space.pk]),
        "edit": reverse("memories:edit", args=[space.pk, memory.pk]),
        "erase": reverse("memories:erase", args=[space.pk, memory.pk]),
    }


def session_of(space: Space) -> str:
    client = Client()
    client.force_login(space.owner)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def opened(browser: Browser, server: str, session: str, *, width: int, theme: str) -> Page:
    is_dark = theme == "dark"
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if is_dark else "light"
    )
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": server}
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    load_axe(page)
    return page


def console_of(page: Page) -> list[str]:
    """Return a list that grows with what the page says in the console."""
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        said.append(message.text)

    page.on("console", note)
    return said


def complaints(page: Page, *, width: int) -> Iterator[str]:
    if page.evaluate("document.documentElement.scrollWidth") > width:
        yield "scrolls sideways"
    yield from violations(page)


def test_no_page_has_anything_to_complain_about(space: Space, live_server: LiveServer) -> None:
    addresses, session = filled(space), session_of(space)
    found: list[tuple[str, int, str, str]] = []

    # Nothing may ask the database from here on: Playwright's event loop runs in this thread.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for width, theme in SCREENS:
            page = opened(browser, live_server.url, session, width=width, theme=theme)
            said = console_of(page)
            for name, address in addresses.items():
                page.goto(live_server.url + address)
                said += complaints(page, width=width)
                found += [(name, width, theme, complaint) for complaint in said]
                said.clear()
            page.context.close()
        browser.close()

    assert found == []


def test_the_next_rows_come_when_the_end_is_seen(space: Space, live_server: LiveServer) -> None:
    addresses, session = filled(space), session_of(space)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = opened(browser, live_server.url, session, width=1280, theme="light")
        page.goto(live_server.url + addresses["list"])
        first = page.locator("li.row").count()
        page.locator(".pager").scroll_into_view_if_needed()
        expect(page.locator("li.row")).to_have_count(PAGE + 4)
        expect(page.locator(".pager")).to_have_count(0)
        browser.close()

    assert first == PAGE
