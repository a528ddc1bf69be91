"""Gemini CLI: connected as the page "Connect" says, with its model scripted."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.conftest import NewTerminal
from tests.clients.expected import DECISION, TOOLS, descriptions, instructions_of
from tests.clients.gemini_api import GeminiApi
from tests.clients.node import install
from tests.clients.place import Place
from tests.clients.results import YES, record
from tests.clients.scripted_models import Call, Say, ScriptedModel, serving
from tests.clients.terminal import AUTHORISE, Done, Terminal, allow

pytestmark = [pytest.mark.product, pytest.mark.clients]
NAME, VERSION = "Gemini CLI", "0.61.0"
SEARCH = Call("search", {"query": "staging database"})
SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
}


@dataclass(frozen=True, slots=True)
class Gemini:
    """Gemini CLI at home, in a folder that its person trusts."""

    terminal: Terminal

    @property
    def folder(self) -> Path:
        return self.terminal.home / ".gemini"

    def add(self, place: Place) -> str:
        """Add the space with the command of the page; return the name that it is given."""
        command = place.snippet("gemini", "gemini-command")
        added = self.terminal.run("sh", "-c", command)
        assert added.code == 0, added.output
        return command.split()[-2]

    def sign_in(self, name: str, place: Place) -> None:
        """Type what the page says to type, and let the person allow it in the browser."""
        child = self.terminal.spawn("gemini", "--screen-reader")
        try:
            child.expect("1 MCP server")
            child.send(f"/mcp auth {name}")
            # The name once more, as what it suggests: Enter before that would be taken as pasted.
            child.expect(rf"\n{re.escape(name)}(?:\x1b|\s|$)")
            child.send("\r")
            child.expect("Do you want to continue.*Enter to select")
            child.send("\r")
            child.expect(AUTHORISE)
            assert isinstance(child.match, re.Match)
            allow(place.person, child.match[1])
            child.expect("Successfully authenticated and reloaded")
        finally:
            child.close(force=True)

    def status(self) -> str:
        return self.terminal.run("gemini", "mcp", "list").output

    def ask(self, prompt: str, *, model: ScriptedModel) -> Done:
        scripted = {"GOOGLE_GEMINI_BASE_URL": model.url}
        options = ("--approval-mode", "yolo", "--model", "gemini-2.5-flash")
        return self.terminal.run("gemini", *options, "-p", prompt, variables=scripted)


@pytest.fixture
def gemini(node: Path, new_terminal: NewTerminal) -> Gemini:
    terminal = new_terminal(
        node, install("@google/gemini-cli", VERSION),
        GEMINI_API_KEY="scripted", GEMINI_FORCE_FILE_STORAGE="true", NO_BROWSER="true",
    )  # fmt: skip
    gemini = Gemini(terminal)
    gemini.folder.mkdir()
    (gemini.folder / "settings.json").write_text(json.dumps(SETTINGS))
    trusted = {str(terminal.work): "TRUST_FOLDER"}
    (gemini.folder / "trustedFolders.json").write_text(json.dumps(trusted))
    return gemini


@pytest.fixture
def signed_in(gemini: Gemini, place: Place) -> Gemini:
    gemini.sign_in(gemini.add(place), place)
    return gemini


def let_an_hour_pass(gemini: Gemini, place: Place) -> None:
    """Expire the access token, for the product and for Gemini CLI's own note of it."""
    place.expire_access()
    file = gemini.folder / "mcp-oauth-tokens.json"
    kept = json.loads(file.read_text())
    for entry in kept:
        entry["token"]["expiresAt"] = 1
    file.write_text(json.dumps(kept))


def test_added_as_the_page_says_it_signs_in_and_is_connected(gemini: Gemini, place: Place) -> None:
    name = gemini.add(place)
    before = gemini.status()

    gemini.sign_in(name, place)

    assert "Disconnected" in before
    assert "Connected" in gemini.status()
    assert place.access_tokens() == 1
    record(NAME, VERSION, sign_in=YES)


def test_its_model_reads_the_instructions_and_every_tool(signed_in: Gemini, place: Place) -> None:
    with serving(GeminiApi(), Say()) as model:
        asked = signed_in.ask("What do you remember?", model=model)

    tools = model.tools()
    assert asked.code == 0
    assert instructions_of(place) in model.read()
    assert {name: tool.description for name, tool in tools.items()} == descriptions()
    assert list(tools) == TOOLS
    record(NAME, VERSION, list=YES)


def test_its_model_saves_finds_and_is_told_what_was_wrong(signed_in: Gemini, place: Place) -> None:
    refused = Call("save", DECISION | {"content": "short"})

    with serving(GeminiApi(), Call("save", DECISION), SEARCH, refused) as model:
        signed_in.ask("Remember it.", model=model)

    saved, found, sentence = model.results()
    (stored,) = place.call("search", key=place.key(), query="staging")["results"]
    assert stored["id"] in saved
    assert stored["client"] == "Gemini CLI MCP Client"
    assert DECISION["content"] in found
    assert "12" in sentence
    record(NAME, VERSION, call=YES)


def test_the_argument_that_it_adds_for_its_own_use_does_not_spoil_the_call(
    signed_in: Gemini, place: Place
) -> None:
    # It offers this to its model for every tool, and sends it on; others are refused.
    own = {"wait_for_previous": True}

    with serving(GeminiApi(), Call("save", DECISION | own)) as model:
        signed_in.ask("Remember it.", model=model)

    assert "wait_for_previous" in model.tools()["save"].schema["properties"]
    assert "Saved as decision" in model.results()[0]


def test_it_goes_on_with_a_new_access_token_when_the_old_one_has_run_out(
    signed_in: Gemini, place: Place
) -> None:
    let_an_hour_pass(signed_in, place)
    before = place.access_tokens()

    with serving(GeminiApi(), Call("save", DECISION)) as model:
        signed_in.ask("Remember it.", model=model)

    assert "Saved as decision" in model.results()[0]
    assert (before, place.access_tokens()) == (0, 1)
    record(NAME, VERSION, refresh=YES)


def test_disconnected_on_the_dashboard_it_offers_no_tool_and_can_sign_in_again(
    signed_in: Gemini, place: Place
) -> None:
    place.disconnect()

    with serving(GeminiApi(), Say()) as model:
        asked = signed_in.ask("What do you remember?", model=model)
    status = signed_in.status()
    signed_in.sign_in(place.snippet("gemini", "gemini-command").split()[-2], place)

    assert asked.code == 0
    assert model.tools() == {}
    assert "Disconnected" in status
    assert "Connected" in signed_in.status()
    record(
        NAME,
        VERSION,
        revoke=YES,
        notes="Speaks 2025-06-18, without the header that says so, and pings. Its model reads only "
        "the text of a result. It adds `wait_for_previous` to every tool and sends it on; it is "
        "left out here. `gemini mcp list` says Disconnected when it needs a sign-in; "
        "`/mcp auth NAME` inside it does that.",
    )


def test_with_a_key_from_the_environment_it_needs_no_browser(gemini: Gemini, place: Place) -> None:
    # The file that `/api/v1/mcp/config/autonomous-agent` hands out.
    server = {"httpUrl": place.url, "headers": {"Authorization": "Bearer $AGENTS_BRAIN_KEY"}}
    settings = json.dumps(SETTINGS | {"mcpServers": {"brain": server}})
    (gemini.folder / "settings.json").write_text(settings)
    with_key = Gemini(
        Terminal(
            gemini.terminal.home,
            gemini.terminal.path,
            {**gemini.terminal.settings, "AGENTS_BRAIN_KEY": place.key()},
        )
    )

    with serving(GeminiApi(), Call("save", DECISION)) as model:
        with_key.ask("Remember it.", model=model)
    place.revoke_keys()
    status = with_key.status()

    assert "Saved as decision" in model.results()[0]
    assert "Disconnected" in status
