"""The ES modules in Chromium, on small pages of their own; no server, no network."""

import re
import shutil
from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Request, Route, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
]
SCRIPTS = settings.BASE_DIR / "brain/static/brain/js"
SITE = "https://brain.test"
NAMES = ["code", "copy", "dialog", "menu", "notices"]
FRAME = """<!doctype html><html lang="en"><title>Test</title>
<div id="toasts" data-failed="Failed." data-offline="Offline."></div>
<template id="failure"><div class="toast" data-tone="error"><p></p>
<button data-dismiss=".toast">Close</button></div></template>
<main id="main" tabindex="-1">{body}</main><div id="status" role="status"></div>{scripts}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def _open(page: Page, body: str) -> None:
    """Show `body` with every script."""
    scripts = "".join(f'<script type="module" src="/{name}.js"></script>' for name in NAMES)

    def answer(route: Route) -> None:
        name = re.fullmatch(rf"{SITE}/(\w+\.js)", route.request.url)
        if route.request.method == "POST":
            route.fulfill(status=204)
        elif name:
            route.fulfill(body=(SCRIPTS / name[1]).read_text(), content_type="text/javascript")
        else:
            page_text = FRAME.format(body=body, scripts=scripts)
            route.fulfill(body=page_text, content_type="text/html")

    page.route("**/*", answer)
    page.goto(f"{SITE}/")


def _is_post(request: Request) -> bool:
    return request.method == "POST"


CODE = '<form method="post"><input name="code" data-code><button>Sign in</button></form>'


def test_the_sixth_digit_sends_the_code(page: Page) -> None:
    _open(page, CODE)

    page.locator("[data-code]").press_sequentially("12a34")
    expect(page.locator("[data-code]")).to_have_value("1234")
    with page.expect_request(_is_post) as sent:
        page.locator("[data-code]").press_sequentially("56")

    assert sent.value.post_data == "code=123456"


def test_a_pasted_code_may_have_words_around_it(page: Page) -> None:
    _open(page, CODE)
    page.evaluate("navigator.clipboard.writeText('Your code is 987 654')")

    page.locator("[data-code]").focus()
    with page.expect_request(_is_post) as sent:
        page.keyboard.press("Control+V")

    assert sent.value.post_data == "code=987654"


def test_copying_says_that_it_copied(page: Page) -> None:
    _open(
        page,
        '<code id="address">https://brain.test/mcp/1</code>'
        '<button data-copy="address" data-copied="Copied" data-not-copied="By hand">'
        "<span data-copy-label>Copy</span></button>",
    )

    page.locator("[data-copy]").click()

    expect(page.locator("#status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "https://brain.test/mcp/1"


def test_the_button_waits_for_the_typed_name(page: Page) -> None:
    _open(
        page,
        '<form data-confirm="Storefront"><input type="text"><button type="submit">Delete</button>'
        "</form>",
    )
    button = page.locator("button[type=submit]")

    expect(button).to_be_disabled()
    page.locator("input").fill("Storefron")
    expect(button).to_be_disabled()
    page.locator("input").fill("Storefront")

    expect(button).to_be_enabled()


def test_escape_closes_a_menu_and_returns_the_focus(page: Page) -> None:
    _open(page, '<details data-menu><summary>Account</summary><a href="#">Open</a></details>')
    page.locator("summary").click()
    page.locator("a").focus()

    page.keyboard.press("Escape")

    expect(page.locator("details")).not_to_have_attribute("open", re.compile(".*"))
    expect(page.locator("summary")).to_be_focused()


def test_a_failed_request_becomes_a_message_that_can_be_closed(page: Page) -> None:
    _open(page, "")

    page.evaluate("document.dispatchEvent(new Event('htmx:responseError'))")
    expect(page.locator("#toasts .toast p")).to_have_text("Failed.")
    page.locator("[data-dismiss]").first.click()

    expect(page.locator("#toasts .toast")).to_have_count(0)
    expect(page.locator("#main")).to_be_focused()
