"""Claude Code against the started product: sign-in, tools, refresh, access taken away."""

import json
from collections.abc import Callable

import pytest

from tests.clients.coding_agents import SEARCH, ClaudeCode
from tests.clients.expected import DECISION, LINES
from tests.clients.place import Place
from tests.clients.results import YES, record
from tests.clients.scripted_models import Call, Say, serving

pytestmark = [pytest.mark.product, pytest.mark.clients]


def test_it_says_that_it_must_sign_in_and_is_connected_afterwards(
    claude_code: ClaudeCode, place: Place
) -> None:
    name = claude_code.add(place)

    before = claude_code.status()
    signed_in = claude_code.sign_in(name, place=place)
    after = claude_code.status()

    assert f"{name}: {place.url} (HTTP) - ! Needs authentication" in before
    assert signed_in.code == 0
    assert f'Authenticated with "{name}"' in signed_in.output
    assert f"{name}: {place.url} (HTTP) - ✔ Connected" in after
    record(ClaudeCode.name, ClaudeCode.version, sign_in=YES)


def test_the_lines_for_claude_reach_its_model_too(claude_code: ClaudeCode, place: Place) -> None:
    claude_code.connect(place)
    lines = LINES.read_text()
    (claude_code.terminal.work / "CLAUDE.md").write_text(lines)

    with serving(claude_code.dialect, Say()) as model:
        asked = claude_code.ask("What do you remember?", model=model)

    assert asked.output == "Done.\n"
    assert lines.strip() in model.read()


def test_its_model_saves_finds_and_is_told_what_was_wrong(
    claude_code: ClaudeCode, place: Place
) -> None:
    claude_code.connect(place)
    refused = Call("save", DECISION | {"content": "short"})

    with serving(claude_code.dialect, Call("save", DECISION), SEARCH, refused) as model:
        claude_code.ask("Remember it.", model=model)

    saved, found, sentence = model.results()
    (stored,) = place.call("search", key=place.key(), query="staging")["results"]
    assert json.loads(saved)["id"] == stored["id"]
    assert json.loads(saved)["outcome"] == "created"
    (hit,) = json.loads(found)["results"]
    assert {name: hit[name] for name in DECISION} == DECISION
    assert hit["client"] == stored["client"]
    assert "Claude Code" in stored["client"]
    assert "12" in sentence
    record(ClaudeCode.name, ClaudeCode.version, call=YES)


def test_disconnected_on_the_dashboard_it_says_so_and_can_sign_in_again(
    claude_code: ClaudeCode, place: Place
) -> None:
    name = claude_code.add(place)
    claude_code.sign_in(name, place=place)
    place.disconnect()

    with serving(claude_code.dialect, Say()) as model:
        asked = claude_code.ask("What do you remember?", model=model)
    listed = claude_code.status()
    again = claude_code.sign_in(name, place=place)

    assert asked.code == 0
    assert model.tools() == {}
    assert f"require authentication before their tools can be used:\n{name}" in model.read()
    assert "! Needs authentication" in listed
    assert again.code == 0
    assert "✔ Connected" in claude_code.status()
    record(ClaudeCode.name, ClaudeCode.version, revoke=YES)


def test_signing_out_in_the_terminal_takes_its_tokens_away_here_as_well(
    claude_code: ClaudeCode, place: Place
) -> None:
    name = claude_code.add(place)
    claude_code.sign_in(name, place=place)
    before = place.access_tokens()

    claude_code.terminal.run("claude", "mcp", "logout", name)

    assert (before, place.access_tokens()) == (1, 0)
    assert "! Needs authentication" in claude_code.status()


def test_with_an_api_key_it_needs_no_browser(
    new_claude_code: Callable[[], ClaudeCode], place: Place
) -> None:
    agent = new_claude_code()
    command = place.snippet("key", "key-claude-code").replace("YOUR_KEY", place.key())

    agent.terminal.run("sh", "-c", command)
    with serving(agent.dialect, Call("save", DECISION)) as model:
        agent.ask("Remember it.", model=model)

    assert "✔ Connected" in agent.status()
    assert json.loads(model.results()[0])["outcome"] == "created"
