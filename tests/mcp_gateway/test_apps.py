"""Search results as a card, for clients that show cards; everybody else sees what they saw."""

import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from mcp.types import ClientCapabilities, TextResourceContents

from mcp_gateway.cards.resource import CARD_URI, with_card
from mcp_gateway.scopes import ALL, READ
from mcp_gateway.tools.registry import listings
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.mcp_gateway.clients import ERAS, POST_HEADERS, Era, connected, key_of, rpc, web

MIME_TYPE = "text/html;profile=mcp-app"
EXTENSION = "io.modelcontextprotocol/ui"
SHOWS_CARDS = {"extensions": {EXTENSION: {"mimeTypes": [MIME_TYPE]}}}
MODERN = "2026-07-28"


@pytest.fixture
def space(transactional_db: None) -> Space:
    return make_space()


async def listed(space: Space, capabilities: dict[str, Any]) -> dict[str, Any]:
    """List the tools as a client of 2026-07-28 with these capabilities; return the tool search."""
    key = await sync_to_async(key_of)(space)
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
    headers = POST_HEADERS | {"mcp-protocol-version": MODERN, "mcp-method": "tools/list"}
    async with web(key) as http:
        answer = await http.post(
            space.mcp_url, content=rpc("tools/list", _meta=meta), headers=headers
        )
    tools: list[dict[str, Any]] = answer.json()["result"]["tools"]
    return next(tool for tool in tools if tool["name"] == "search")


async def card_of(space: Space, *scopes: str, era: Era = "auto") -> TextResourceContents:
    async with connected(space, *scopes, era=era) as client:
        (contents,) = (await client.read_resource(CARD_URI)).contents
    assert isinstance(contents, TextResourceContents)
    return contents


async def test_a_client_that_shows_cards_is_told_which_one(space: Space) -> None:
    tool = await listed(space, SHOWS_CARDS)

    assert tool["_meta"]["ui"] == {"resourceUri": "ui://agents-brain/search"}
    assert tool["_meta"]["anthropic/alwaysLoad"] is True


@pytest.mark.parametrize(
    "capabilities",
    [
        {},
        {"extensions": {}},
        {"extensions": {EXTENSION: {}}},
        {"extensions": {EXTENSION: {"mimeTypes": ["text/html"]}}},
        {"extensions": {EXTENSION: {"mimeTypes": 5}}},
    ],
    ids=["none", "empty", "no types", "other type", "broken"],
)
async def test_a_client_that_shows_none_sees_what_it_saw_before(
    space: Space, capabilities: dict[str, Any]
) -> None:
    tool = await listed(space, capabilities)

    assert tool["_meta"] == {"anthropic/alwaysLoad": True}


def test_of_a_client_that_says_nothing_only_one_line_of_meta_is_more() -> None:
    before = listings(frozenset(ALL))

    after = with_card(before, None)

    assert [tool.model_copy(update={"meta": None}) for tool in after] == [
        tool.model_copy(update={"meta": None}) for tool in before
    ]
    assert [tool.name for tool in after if "ui" in (tool.meta or {})] == ["search"]
    assert with_card(before, ClientCapabilities()) == before


def test_the_list_with_the_card_stays_below_eight_kilobytes() -> None:
    tools = with_card(listings(frozenset(ALL)), None)

    said = [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]

    assert len(json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()) < 8000


async def test_the_extension_is_announced(space: Space) -> None:
    async with connected(space) as client:
        capabilities = client.server_capabilities

    assert capabilities is not None
    assert capabilities.extensions == {EXTENSION: {}}


@pytest.mark.parametrize("era", ERAS)
async def test_the_card_is_one_page_that_loads_nothing(space: Space, era: Era) -> None:
    contents = await card_of(space, era=era)

    assert (contents.uri, contents.mime_type) == (CARD_URI, MIME_TYPE)
    assert contents.text.startswith("<!doctype html>")
    assert len(contents.text.encode()) < 20_000
    for loading in (r"https?:", r"\bsrc=", r"\bhref=", r"url\(", r"@import", r"\bfetch\b"):
        assert not re.search(loading, contents.text), loading
    for unsafe in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "{{"):
        assert unsafe not in contents.text
    assert "csp" not in (contents.meta or {}).get("ui", {})


async def test_the_card_is_no_memory_and_is_not_listed_as_one(space: Space) -> None:
    await sync_to_async(make_memory)(space, "We deploy on Fridays.", path="Deploys")

    async with connected(space) as client:
        resources = (await client.list_resources()).resources

    assert [resource.uri for resource in resources] == ["memory://Deploys"]


async def test_the_card_has_no_buttons_for_who_may_only_read(space: Space) -> None:
    reading, writing = await card_of(space, READ), await card_of(space)

    assert '"mayWrite": false' in reading.text
    assert '"mayWrite": true' in writing.text


async def test_the_card_speaks_the_person_s_language(space: Space) -> None:
    space.owner.language = "pt-br"
    await sync_to_async(space.owner.save)()

    contents = await card_of(space)

    assert '<html lang="pt-br">' in contents.text
    assert "Esquecer" in contents.text
