"""Pages that change by themselves, and the map, in Chromium on the started product."""

import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
import pytest
from django.conf import settings
from playwright.sync_api import Page, expect, sync_playwright

from tests.journeys.person import Person
from tests.journeys.product import Product
from tests.mcp_gateway.clients import POST_HEADERS, rpc

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.product,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
]
_people = itertools.count(1)


@dataclass
class Place:
    """A space with somebody in front of it, and a key with which an agent can write to it."""

    person: Person
    url: str
    key: str

    @property
    def id(self) -> str:
        return self.url.rpartition("/")[2]

    @property
    def pages(self) -> str:
        return f"{self.person.product.url}/spaces/{self.id}/memories/"

    def agent_saves(self, content: str, *, path: str = "Shop.Deploy") -> str:
        """Save over MCP, as an agent does; return the id."""
        arguments = {"content": content, "kind": "observation", "path": path}
        body = rpc("tools/call", name="save", arguments=arguments)
        headers = POST_HEADERS | {"authorization": f"Bearer {self.key}"}
        answer = httpx.post(self.url, content=body, headers=headers, timeout=30).json()
        return str(answer["result"]["structuredContent"]["id"])


@pytest.fixture
def place(product: Product) -> Iterator[Place]:
    person = Person(product, f"live{next(_people)}@example.org")
    person.sign_in()
    space = product.manage("create_space", person.email, "Live")
    scopes = ("--scope", "auth:read", "--scope", "auth:write")
    key = product.manage("create_api_key", space["id"], *scopes)["key"]
    yield Place(person, space["url"], key)
    person.browser.close()


@contextmanager
def opened(place: Place, *, width: int = 1280) -> Iterator[tuple[Page, list[str]]]:
    """Open the person's browser; the list has everything that pages say in the console."""
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": place.person.browser.cookies[name]}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": width, "height": 900})
        context.add_cookies([cookie | {"url": place.person.product.url}])  # type: ignore[list-item]
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        yield page, said
        browser.close()


@contextmanager
def hearing(page: Page) -> Iterator[None]:
    """Load a page in the block, and wait until its websocket listens."""
    with page.expect_websocket() as sockets:
        yield
    sockets.value.wait_for_event("framereceived", lambda frame: "listening" in str(frame))


def test_what_an_agent_saves_appears_in_open_pages(place: Place) -> None:
    with opened(place) as (page, said):
        with hearing(page):
            page.goto(place.pages)
        expect(page.get_by_text("Nothing is remembered here yet")).to_be_visible()
        with hearing(page):
            place.agent_saves("We deploy on Fridays at noon.")
        expect(page.get_by_text("We deploy on Fridays at noon.")).to_be_visible()

        place.agent_saves("We deploy on Mondays at noon.")

        expect(page.get_by_text("We deploy on Mondays at noon.")).to_be_visible()
        expect(page.locator(".standings .number").first).to_have_text("2")
        expect(page.locator("#status")).to_have_text("The list was brought up to date.")
        assert said == []


def test_a_list_that_is_being_read_stays_as_it_is_and_offers_the_news(place: Place) -> None:
    place.agent_saves("We deploy on Fridays at noon.")
    with opened(place) as (page, _):
        with hearing(page):
            page.goto(place.pages)
        link = page.get_by_text("We deploy on Fridays at noon.")
        link.focus()

        place.agent_saves("We deploy on Mondays at noon.")

        expect(page.locator("#news-shown")).to_be_visible()
        expect(link).to_be_focused()
        expect(page.locator("li.row")).to_have_count(1)
        page.get_by_role("link", name="Show it").click()
        expect(page.locator("li.row")).to_have_count(2)


def test_activity_comes_by_itself(place: Place) -> None:
    place.agent_saves("We deploy on Fridays at noon.")
    with opened(place, width=360) as (page, said):
        with hearing(page):
            page.goto(f"{place.pages}activity/")

        place.agent_saves("We deploy on Mondays at noon.")

        expect(page.locator("li.event")).to_have_count(2)
        assert said == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_map_is_read_with_the_keyboard(place: Place, width: int) -> None:
    first = place.agent_saves("We deploy on Fridays at noon.", path="Shop.Deploy")
    second = place.agent_saves(f"Never on Sundays, says {first}.", path="Shop.Deploy")
    with opened(place, width=width) as (page, said):
        page.goto(f"{place.pages}map/")
        marks = page.locator(".mark")
        expect(page.locator("[data-map-said]")).to_contain_text("arrow keys")
        if width == 360:
            expect(page.locator(".map-drawing")).not_to_have_attribute("data-width", "1062")
        marks.first.focus()

        page.keyboard.press("ArrowRight")

        expect(marks.nth(1)).to_be_focused()
        expect(page.locator("[data-map-said]")).to_contain_text("Never on Sundays")
        expect(page.locator("[data-map-said]")).to_contain_text("mentions: We deploy on Fridays")
        expect(page.locator(".arc.is-lit")).to_have_count(2)
        page.get_by_role("button", name="Larger").click()
        marks.nth(1).focus()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/{second}/")
        assert said == []


def test_the_map_offers_the_news_instead_of_changing_under_the_pointer(place: Place) -> None:
    place.agent_saves("We deploy on Fridays at noon.")
    with opened(place) as (page, _):
        with hearing(page):
            page.goto(f"{place.pages}map/")

        place.agent_saves("We deploy on Mondays at noon.")

        expect(page.locator("#news-shown")).to_be_visible()
        expect(page.locator(".mark")).to_have_count(1)
