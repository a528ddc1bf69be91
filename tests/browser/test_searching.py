"""Searching and filtering the list in Chromium, with the keyboard."""

import re
import shutil

import pytest
from django.urls import reverse
from playwright.sync_api import expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from memories.queries.lists import PAGE
from spaces.models import Space
from tests.browser.test_memory_pages import console_of, opened, session_of
from tests.factories import make_memory

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
    pytest.mark.django_db(transaction=True),
]


def test_the_list_is_searched_filtered_and_scrolled_in_place(
    space: Space, live_server: LiveServer
) -> None:
    for number in range(PAGE + 3):
        make_memory(space, f"Oysters of sort {number}.", path="Shop.Fish")
    make_memory(space, "The café opens at nine.", kind="preference", path="Shop.Café")
    session, address = session_of(space), reverse("memories:list", args=[space.pk])

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = opened(browser, live_server.url, session, width=1280, theme="light")
        said = console_of(page)
        page.goto(live_server.url + address)
        rows, chips = page.locator("li.row"), page.locator("#found .chips .chip")

        page.locator(".pager").scroll_into_view_if_needed()
        expect(rows).to_have_count(PAGE + 4)

        page.get_by_role("searchbox").fill("fé op")
        page.get_by_label("Plain text").focus()
        page.keyboard.press("Space")
        expect(rows).to_have_count(1)
        expect(rows.locator("mark")).to_have_text("fé op")
        expect(page).to_have_url(re.compile(r"\?q=f%C3%A9\+op&mode=text$"))
        expect(page.locator("#status")).to_have_text("1 memory found.")

        page.get_by_label("Kind").select_option("decision")
        expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
        chips.filter(has_text="Kind").click()
        expect(rows).to_have_count(1)

        page.go_back()
        expect(chips).to_have_count(2)
        # What was on the page does not stay behind in the browser.
        assert "café" not in page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")
        assert said == []
        browser.close()
