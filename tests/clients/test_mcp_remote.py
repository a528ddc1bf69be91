"""mcp-remote: how apps that only start local servers (Claude Desktop) reach a remote one."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.clients.conftest import NewTerminal
from tests.clients.expected import DECISION, TOOLS, instructions_of
from tests.clients.node import install
from tests.clients.place import Place
from tests.clients.results import YES, record
from tests.clients.terminal import AUTHORISE, Done, Terminal, allow

pytestmark = [pytest.mark.product, pytest.mark.clients]
NAME, VERSION = "mcp-remote", "0.15.1"


@pytest.fixture
def terminal(node: Path, new_terminal: NewTerminal) -> Terminal:
    # It opens a browser when it can; here the person is told by the terminal.
    return new_terminal(node, install("mcp-remote", VERSION), BROWSER="true")


def sign_in(terminal: Terminal, place: Place) -> Done:
    client = ("mcp-remote-client", place.url, "--allow-http")
    return terminal.sign_in(*client, person=place.person)


@asynccontextmanager
async def app(terminal: Terminal, place: Place, *more: str) -> AsyncIterator[ClientSession]:
    """Be an app that starts mcp-remote as if it were a local server, and talks to it."""
    server = StdioServerParameters(
        command=str(terminal.path[-1] / "mcp-remote"),
        args=[place.url, "--allow-http", *more],
        env=terminal.environment,
        cwd=terminal.work,
    )
    log = terminal.home / "mcp-remote.log"
    with log.open("w") as errors:
        async with (
            stdio_client(server, errlog=errors) as (read, write),
            ClientSession(read, write) as session,
        ):
            yield session


def test_signing_in_from_a_terminal_shows_every_tool(terminal: Terminal, place: Place) -> None:
    signed_in = sign_in(terminal, place)

    assert signed_in.code == 0
    assert all(f'"name": "{tool}"' in signed_in.output for tool in TOOLS)
    assert place.access_tokens() == 1
    record(NAME, VERSION, sign_in=YES)


async def test_an_app_behind_it_lists_calls_and_is_told_what_was_wrong(
    terminal: Terminal, place: Place
) -> None:
    sign_in(terminal, place)

    async with app(terminal, place) as session:
        hello = await session.initialize()
        listed = await session.list_tools()
        saved = await session.call_tool("save", DECISION)
        found = await session.call_tool("search", {"query": "staging database"})
        refused = await session.call_tool("save", DECISION | {"content": "short"})

    assert hello.instructions == instructions_of(place)
    assert [tool.name for tool in listed.tools] == TOOLS
    assert saved.structured_content is not None
    assert saved.structured_content["outcome"] == "created"
    assert found.structured_content is not None
    (hit,) = found.structured_content["results"]
    assert {name: hit[name] for name in DECISION} == DECISION
    assert refused.is_error
    record(NAME, VERSION, list=YES, call=YES)


async def test_it_goes_on_with_a_new_access_token_when_the_old_one_has_run_out(
    terminal: Terminal, place: Place
) -> None:
    sign_in(terminal, place)
    place.expire_access()
    before = place.access_tokens()

    async with app(terminal, place) as session:
        await session.initialize()
        listed = await session.list_tools()

    assert [tool.name for tool in listed.tools] == TOOLS
    assert (before, place.access_tokens()) == (0, 1)
    record(NAME, VERSION, refresh=YES)


def test_disconnected_on_the_dashboard_it_sends_the_person_to_the_browser_again(
    terminal: Terminal, place: Place
) -> None:
    sign_in(terminal, place)
    place.disconnect()

    child = terminal.spawn("mcp-remote", place.url, "--allow-http")
    try:
        child.expect(AUTHORISE)
        assert isinstance(child.match, re.Match)
        page = allow(place.person, child.match[1])
        child.expect("Proxy established successfully")
    finally:
        child.close(force=True)

    assert page.status_code == 200
    assert place.access_tokens() == 1
    record(
        NAME,
        VERSION,
        revoke=YES,
        notes="Speaks 2025-11-25. Plain http needs `--allow-http`. After access was taken away it "
        "opens the browser again, while the app behind it waits.",
    )


async def test_with_a_key_in_a_file_an_app_behind_it_needs_no_browser(
    terminal: Terminal, place: Place
) -> None:
    headers = terminal.work / "headers.txt"
    headers.write_text(f"Authorization: Bearer {place.key()}\n")

    async with app(terminal, place, "--header-file", str(headers)) as session:
        await session.initialize()
        saved = await session.call_tool("save", DECISION)

    assert saved.structured_content is not None
    assert saved.structured_content["outcome"] == "created"
