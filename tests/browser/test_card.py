"""The card of search results in Chromium, inside a small host that speaks MCP Apps."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, Route, expect, sync_playwright

from mcp_gateway.cards.resource import CARD_URI
from mcp_gateway.scopes import ALL, READ
from memories.models import Memory, State
from spaces.isolation import inside
from spaces.models import Space
from tests.browser.axe import load_axe, violations
from tests.factories import make_memory
from tests.mcp_gateway.clients import POST_HEADERS, key_of, rpc, web

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
    pytest.mark.django_db(transaction=True),
]
HOST, VIEW = "https://host.test/", "https://view.test/"
# What a host must send when a card names no domains (MCP Apps 2026-01-26, Content Requirements).
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
PAGE = """<!doctype html><html lang="en"><title>Host</title><main><h1>Chat</h1>
<iframe title="Card" sandbox="allow-scripts" src="VIEW" style="width: 100%; height: 800px">
</iframe></main><script>
const frame = document.querySelector("iframe");
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
const deal = {
  "ui/initialize": () => ({
    protocolVersion: "2026-01-26", hostInfo: { name: "test", version: "1" },
    hostCapabilities: { serverTools: {} }, hostContext: { theme: "THEME" },
  }),
  "ui/update-model-context": ({ content }) => { window.told = content[0].text; return {}; },
  "tools/call": ({ name, arguments: args }) => window.callTool(name, args),
};
window.addEventListener("message", async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  if (data.id !== undefined) send({ id: data.id, result: await deal[data.method](data.params) });
  if (data.method === "ui/notifications/size-changed") window.size = data.params;
  if (data.method !== "ui/notifications/initialized") return;
  send({ method: "ui/notifications/tool-input", params: { arguments: window.query } });
  send({ method: "ui/notifications/tool-result",
         params: await window.callTool("search", window.query) });
});
</script></html>"""


@dataclass
class Host:
    """A chat that shows the card; its calls go through the real endpoint."""

    space: Space
    key: str
    page: Page
    requests: list[str] = field(default_factory=list)
    refuses: str = ""

    @property
    def card(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    def told(self) -> str:
        """Wait until the model's context was told something, and return it."""
        return str(self.page.wait_for_function("window.told").json_value())

    def ask(self, method: str, **params: Any) -> Any:
        async def post() -> Any:
            async with web(self.key) as http:
                body = rpc(method, **params)
                return (
                    await http.post(self.space.mcp_url, content=body, headers=POST_HEADERS)
                ).json()

        # The browser's own loop runs in this thread.
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, post()).result()["result"]

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """Call a tool for the card, unless the person who sits here refuses."""
        if self.refuses:
            return {"isError": True, "content": [{"type": "text", "text": self.refuses}]}
        return self.ask("tools/call", name=tool, arguments=arguments)

    def show(self, query: dict[str, Any], *, theme: str = "light") -> None:
        """Do a search and show its card."""
        html = self.ask("resources/read", uri=CARD_URI)["contents"][0]["text"]

        def serve(route: Route) -> None:
            self.requests.append(route.request.url)
            if route.request.url == VIEW:
                policy = {"content-security-policy": POLICY}
                route.fulfill(body=html, content_type="text/html", headers=policy)
            else:
                text = PAGE.replace("VIEW", VIEW).replace("THEME", theme)
                route.fulfill(body=text, content_type="text/html")

        self.page.route("**/*", serve)
        self.page.expose_function("callTool", self.call)
        self.page.add_init_script(f"window.query = {json.dumps(query)}")
        self.page.goto(HOST)


@contextmanager
def hosting(space: Space, *scopes: str, width: int = 800) -> Iterator[Host]:
    """Open a host for the space; a complaint in its console fails the test."""
    key, said = key_of(space, *(scopes or ALL)), list[str]()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 900})
        load_axe(page)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        yield Host(space, key, page)
        browser.close()
    assert said == []


def now_of(memory: Memory) -> Memory:
    with inside(memory.space):
        return Memory.objects.get(pk=memory.pk)


def test_what_was_found_is_shown_as_text_and_nothing_is_loaded(space: Space) -> None:
    hostile = "We deploy </script><img src=https://evil.test/x onerror=alert(1)> on Fridays."
    make_memory(space, hostile, path="Project.Deploys")

    with hosting(space) as host:
        host.show({"query": "deploy"})
        row = host.card.get_by_role("listitem")

        expect(row.locator("blockquote")).to_have_text(hostile)
        expect(row).to_contain_text("Decision · Project.Deploys")
        expect(row).to_contain_text("Author: Agent, Claude Code · Source: Ana · Why: She said so")
        host.page.wait_for_function("window.size && window.size.height > 60")
        assert host.requests == [HOST, VIEW]


def test_a_click_confirms_the_memory_and_the_model_is_told(space: Space) -> None:
    # Long enough for the list to show only its beginning: all of it has to be confirmed.
    content = "We deploy on Fridays at noon. " + "The train leaves with whatever is green. " * 90
    memory = make_memory(space, content, path="Project.Deploys")
    for number in range(8):
        make_memory(space, f"We deploy service {number} on Fridays. " + "It is large. " * 250)

    with hosting(space) as host:
        host.show({"query": "deploy Fridays train noon green leaves", "limit": 20})
        row = host.card.get_by_role("listitem").filter(has_text="Project.Deploys")
        expect(row).to_contain_text("This is the beginning of a longer memory.")
        row.get_by_role("button", name="Confirm").click()

        expect(host.card.get_by_role("status")).to_have_text("Confirmed.")
        expect(row.get_by_role("button")).to_have_count(0)
        assert host.told() == f"The person confirmed the memory {memory.pk}."

    now = now_of(memory)
    assert (now.confirmations, now.version, now.content) == (2, 1, content)
    with inside(space):
        assert Memory.objects.count() == 9
        assert [source.text for source in now.more_sources.all()] == [
            "The person confirmed it on a card of search results."
        ]


def test_what_changed_meanwhile_is_shown_and_not_confirmed(space: Space) -> None:
    memory = make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploys")

    with hosting(space) as host:
        host.show({"query": "deploy"})
        row = host.card.get_by_role("listitem")
        expect(row).to_contain_text("Fridays")
        revised = {"id": str(memory.pk), "content": "We deploy on Mondays at noon."}
        host.ask("tools/call", name="revise", arguments=revised)
        row.get_by_role("button", name="Confirm").click()

        expect(row).to_contain_text("Mondays")
        expect(host.card.get_by_role("status")).to_contain_text("It has changed meanwhile.")

    assert now_of(memory).confirmations == 1


def test_forgetting_takes_two_clicks_and_is_told_to_the_model(space: Space) -> None:
    memory = make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploys")

    with hosting(space) as host:
        host.show({"query": "deploy"})
        row = host.card.get_by_role("listitem")
        row.get_by_role("button", name="Forget").click()
        expect(row.get_by_role("button", name="Keep it")).to_be_focused()
        row.get_by_role("button", name="Keep it").click()
        expect(row.get_by_role("button", name="Forget")).to_be_focused()
        host.page.keyboard.press("Enter")
        row.get_by_role("button", name="Yes, forget it").click()

        expect(host.card.get_by_role("status")).to_contain_text("Forgotten.")
        assert host.told() == f"The person forgot the memory {memory.pk}."

    assert now_of(memory).state == State.FORGOTTEN


def test_who_may_only_read_gets_no_buttons(space: Space) -> None:
    make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploys")

    with hosting(space, READ) as host:
        host.show({"query": "deploy"})

        expect(host.card.get_by_role("listitem")).to_have_count(1)
        expect(host.card.get_by_role("button")).to_have_count(0)


def test_what_fails_is_said_and_the_buttons_come_back(space: Space) -> None:
    memory = make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploys")

    with hosting(space) as host:
        host.show({"query": "deploy"})
        host.card.get_by_role("button", name="Forget").click()
        host.refuses = "The person said no."
        host.card.get_by_role("button", name="Yes, forget it").click()

        status = host.card.get_by_role("status")
        expect(status).to_have_text("That did not work: The person said no.")
        expect(host.card.get_by_role("button", name="Keep it")).to_be_enabled()

    assert now_of(memory).state == State.ACTIVE


def test_paths_and_emptiness_are_shown(space: Space) -> None:
    make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploys")

    with hosting(space) as host:
        host.show({"query": ""})
        expect(host.card.get_by_role("listitem")).to_have_text("Project.Deploys (1)")
    with hosting(space) as host:
        host.show({"query": "the colour of the moon", "kinds": ["pointer"]})
        expect(host.card.locator("#notice")).to_have_text("Nothing close is remembered.")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_card_is_accessible_and_fits(space: Space, theme: str, width: int) -> None:
    make_memory(space, "W" * 90 + " is what we deploy.", path="Project." + "Long" * 30)

    with hosting(space, width=width) as host:
        host.show({"query": "deploy"}, theme=theme)
        expect(host.card.get_by_role("listitem")).to_have_count(1)
        (frame,) = host.page.main_frame.child_frames
        # Axe does not look through the border between two origins.
        found = violations(host.page) + violations(frame)
        overflow = frame.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        scheme = frame.evaluate("getComputedStyle(document.documentElement).colorScheme")

    assert found == []
    assert overflow <= 0
    assert scheme == theme
