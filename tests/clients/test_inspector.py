"""The MCP Inspector's command line: both eras of the protocol, strict schemas, its own sign-in."""

import json
from pathlib import Path

import pytest

from tests.clients.conftest import NewTerminal
from tests.clients.expected import DECISION, TOOLS
from tests.clients.node import install
from tests.clients.place import Place
from tests.clients.results import YES, record
from tests.clients.terminal import Done, Terminal

pytestmark = [pytest.mark.product, pytest.mark.clients]
NAME, VERSION = "MCP Inspector", "2.12.0"
ERAS = ["modern", "legacy"]
LIST = ("--method", "tools/list", "--strict")
SEARCH = ("--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=staging database")


@pytest.fixture
def terminal(node: Path, new_terminal: NewTerminal) -> Terminal:
    # There is no keyring here: a file keeps the tokens for the next command.
    commands = install("@modelcontextprotocol/inspector", VERSION)
    return new_terminal(node, commands, MCP_INSPECTOR_SECRET_STORE="file")


def inspector(place: Place, era: str, *more: str) -> tuple[str, ...]:
    to = ("mcp-inspector", "--cli", place.url, "--transport", "http", "--protocol-era", era)
    return (*to, "--quiet", "--format", "json", *more)


def result(done: Done) -> dict[str, object]:
    """Return the result, which is the last line that the Inspector printed."""
    assert done.code == 0, done.output
    answer: dict[str, dict[str, object]] = json.loads(done.output.strip().splitlines()[-1])
    return answer["result"]


def names(done: Done) -> list[str]:
    tools = result(done)["tools"]
    assert isinstance(tools, list)
    return [tool["name"] for tool in tools]


@pytest.mark.parametrize("era", ERAS)
def test_with_a_key_it_lists_every_tool_and_finds_no_fault_with_their_schemas(
    terminal: Terminal, place: Place, era: str
) -> None:
    header = ("--header", f"Authorization: Bearer {place.key()}")

    listed = terminal.run(*inspector(place, era, *header, *LIST))

    assert names(listed) == TOOLS
    assert "error" not in listed.output.partition("{")[0]


@pytest.mark.parametrize("era", ERAS)
def test_it_signs_in_lists_calls_and_is_told_what_was_wrong(
    terminal: Terminal, place: Place, era: str
) -> None:
    save = (*("--method", "tools/call", "--tool-name", "save", "--tool-args-json"),)

    signed_in = terminal.sign_in(*inspector(place, era, *LIST), person=place.person)
    stored = inspector(place, era, "--stored-auth-only")
    saved = terminal.run(*stored, *save, json.dumps(DECISION))
    found = terminal.run(*stored, *SEARCH)
    refused = terminal.run(*stored, *save, json.dumps(DECISION | {"content": "short"}))

    assert names(signed_in) == TOOLS
    assert result(saved)["structuredContent"]["outcome"] == "created"  # type: ignore[index]
    (hit,) = result(found)["structuredContent"]["results"]  # type: ignore[index]
    assert {name: hit[name] for name in DECISION} == DECISION
    assert hit["client"] == NAME
    assert refused.code != 0
    assert "12" in refused.output
    record(NAME, VERSION, sign_in=YES, list=YES, call=YES)


def test_it_goes_on_with_a_new_access_token_when_the_old_one_has_run_out(
    terminal: Terminal, place: Place
) -> None:
    terminal.sign_in(*inspector(place, "modern", *LIST), person=place.person)
    place.expire_access()
    before = place.access_tokens()

    listed = terminal.run(*inspector(place, "modern", *LIST, "--stored-auth-only"))

    assert names(listed) == TOOLS
    assert (before, place.access_tokens()) == (0, 1)
    record(NAME, VERSION, refresh=YES)


def test_disconnected_on_the_dashboard_it_says_that_it_must_sign_in(
    terminal: Terminal, place: Place
) -> None:
    terminal.sign_in(*inspector(place, "modern", *LIST), person=place.person)
    place.disconnect()

    refused = terminal.run(*inspector(place, "modern", *LIST, "--stored-auth-only"))
    again = terminal.sign_in(*inspector(place, "modern", *LIST), person=place.person)

    assert refused.code != 0
    assert '"auth_required"' in refused.output
    assert names(again) == TOOLS
    record(
        NAME,
        VERSION,
        revoke=YES,
        notes="Speaks 2026-07-28 with `--protocol-era modern` and 2025-11-25 without; `--strict` "
        "finds no fault with the schemas. Signing in needs a terminal; without a keyring tokens "
        "are lost on exit unless `MCP_INSPECTOR_SECRET_STORE=file`.",
    )
