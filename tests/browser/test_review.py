"""The inbox in Chromium: with the keyboard, without scripts, and what axe finds."""

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from memories.models import Answer, Question
from memories.services.noticing import notice_expired
from memories.services.reviewing import LATER
from spaces.models import Space
from tests.browser.test_memory_pages import (
    CHROMIUM,
    SCREENS,
    complaints,
    console_of,
    opened,
    session_of,
)
from tests.factories import make_memory, make_space
from tests.memories.services.resolutions.questions import (
    answered,
    changed,
    instruction,
    lapse,
    now,
    pair,
    relearned,
    unsourced,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
    pytest.mark.django_db(transaction=True),
]


def lapsed(space: Space, number: int) -> None:
    for each in range(number):
        lapse(make_memory(space, f"Build {each} passed on main.", kind="observation"))
    notice_expired(space)


def chromium(playwright: object) -> Browser:
    browser: Browser = playwright.chromium.launch(  # type: ignore[attr-defined]
        executable_path=CHROMIUM, args=["--no-sandbox"]
    )
    return browser


def shown(browser: Browser, url: str, session: str) -> Page:
    page = opened(browser, url, session, width=1280, theme="light")
    page.goto(url)
    return page


def test_no_queue_has_anything_to_complain_about(space: Space, live_server: LiveServer) -> None:
    base = reverse("memories:review", args=[space.pk])
    empty = reverse("memories:review", args=[make_space(owner=space.owner).pk])
    answered(instruction(space), Answer.KEPT)
    answered(unsourced(space), LATER)
    changed(space)
    pair(space, Question.REPEATED, kind="preference")
    lapsed(space, 3)
    queues = ["", "later", "settled", "relearned", *Question.values]
    addresses = [empty, *(f"{base}?queue={queue}" for queue in queues)]
    session, found = session_of(space), []

    # Nothing may ask the database from here on: Playwright's event loop runs in this thread.
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        for width, theme in SCREENS:
            page = opened(browser, live_server.url, session, width=width, theme=theme)
            said = console_of(page)
            for address in addresses:
                page.goto(live_server.url + address)
                for summary in page.locator("details.disclosure > summary").all():
                    summary.click()
                said += complaints(page, width=width)
                found += [(address, width, theme, complaint) for complaint in said]
                said.clear()
            page.context.close()
        browser.close()

    assert found == []


def test_the_inbox_is_worked_through_with_the_keyboard(
    space: Space, live_server: LiveServer
) -> None:
    item = pair(space)
    lapsed(space, 2)
    url = live_server.url + reverse("memories:review", args=[space.pk])
    session = session_of(space)

    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = shown(browser, url, session)
        said = console_of(page)
        title, count = page.locator("#question"), page.locator("#review-count")
        expect(title).to_contain_text("Which of the two holds?")

        page.keyboard.press("2")
        expect(title).to_contain_text("Does this still hold?")
        expect(title).to_be_focused()
        expect(page.locator("#toasts")).to_contain_text("You kept the newer one.")
        expect(count).to_contain_text("2")

        page.keyboard.press("z")
        expect(title).to_contain_text("Which of the two holds?")
        expect(count).to_contain_text("3")

        page.keyboard.press("1")
        expect(title).to_contain_text("Does this still hold?")
        browser.close()

    assert said == []
    assert now(item).resolution == Answer.KEPT_FIRST


def test_keys_do_not_act_while_one_writes(space: Space, live_server: LiveServer) -> None:
    item = pair(space)
    url = live_server.url + reverse("memories:review", args=[space.pk])
    session = session_of(space)

    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = shown(browser, url, session)
        page.keyboard.press("e")
        text = page.locator("#content")
        expect(text).to_be_focused()
        text.fill("We deploy on Fridays, a")
        page.keyboard.type("nd later on Tuesdays.")
        page.get_by_role("button", name="Save this text").click()
        expect(page.get_by_role("heading", name="All settled")).to_be_visible()
        browser.close()

    assert now(item).memory.content == "We deploy on Fridays, and later on Tuesdays."


def test_one_goes_through_the_questions_with_keys(space: Space, live_server: LiveServer) -> None:
    lapsed(space, 2)
    url = live_server.url + reverse("memories:review", args=[space.pk])
    session = session_of(space)

    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = shown(browser, url, session)
        text = page.locator(".side-text")
        first = text.inner_text()
        page.keyboard.press("j")
        expect(text).not_to_have_text(first)
        page.keyboard.press("k")
        expect(text).to_have_text(first)
        page.keyboard.press("l")
        expect(page.locator("#toasts")).to_contain_text("Put off for a week.")
        page.keyboard.press("r")
        expect(page.get_by_role("heading", name="All settled")).to_be_visible()
        expect(page.locator("#review-count")).to_be_hidden()
        browser.close()


def test_keys_that_are_switched_off_do_nothing(space: Space, live_server: LiveServer) -> None:
    User.objects.filter(pk=space.owner_id).update(has_shortcuts=False)
    item = pair(space)
    url = live_server.url + reverse("memories:review", args=[space.pk])
    session = session_of(space)

    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = shown(browser, url, session)
        for key in "12bl":
            page.keyboard.press(key)
        expect(page.locator("#question")).to_contain_text("Which of the two holds?")
        browser.close()

    assert now(item).resolution == ""


def test_everything_ticked_is_answered_and_undone(space: Space, live_server: LiveServer) -> None:
    lapsed(space, 3)
    url = live_server.url + reverse("memories:review", args=[space.pk]) + "?queue=expired"
    session = session_of(space)

    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = shown(browser, url, session)
        page.get_by_label("Tick all of these").check()
        page.locator(".pile").get_by_role("button", name="It still holds").click()
        expect(page.locator("#toasts")).to_contain_text("3 questions answered.")
        expect(page.get_by_role("heading", name="All settled")).to_be_visible()
        page.locator("#toasts").get_by_role("button", name="Undo").click()
        expect(page.locator(".pile-item")).to_have_count(3)
        browser.close()


def test_everything_works_without_scripts(space: Space, live_server: LiveServer) -> None:
    item = relearned(space)
    url = live_server.url + reverse("memories:review", args=[space.pk])
    cookie = {
        "name": settings.SESSION_COOKIE_NAME,
        "value": session_of(space),
        "url": live_server.url,
    }

    with sync_playwright() as playwright:
        browser = chromium(playwright)
        context = browser.new_context(java_script_enabled=False)
        context.add_cookies([cookie])  # type: ignore[list-item]
        page = context.new_page()
        page.goto(url)
        page.get_by_role("button", name="Let it hold").click()
        expect(page.locator(".done")).to_contain_text("You let it hold again.")
        expect(page.get_by_role("heading", name="All settled")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#question")).to_contain_text("Shall this hold again?")
        browser.close()

    assert now(item).resolution == ""
