"""Codex against the started product: sign-in, tools, refresh, access taken away."""

import json

import pytest

from tests.clients.coding_agents import SEARCH, Codex
from tests.clients.expected import DECISION, LINES
from tests.clients.place import Place
from tests.clients.results import YES, record
from tests.clients.scripted_models import Call, Say, serving

pytestmark = [pytest.mark.product, pytest.mark.clients]


def result(text: str) -> str:
    """Return what a tool answered, without the time that Codex puts before it."""
    return text.partition("Output:\n")[2]


def test_adding_the_address_signs_in_at_once(codex: Codex, place: Place) -> None:
    signed_in = codex.connect(place)

    assert signed_in.code == 0
    assert "Successfully logged in" in signed_in.output
    assert place.url in codex.status()
    assert "OAuth" in codex.status()
    record(Codex.name, Codex.version, sign_in=YES)


def test_the_lines_for_agents_reach_its_model_too(codex: Codex) -> None:
    lines = LINES.read_text()
    (codex.terminal.work / "AGENTS.md").write_text(lines)

    with serving(codex.dialect, Say()) as model:
        codex.ask("What do you remember?", model=model)

    assert lines.strip() in model.read()


def test_its_model_saves_finds_and_is_told_what_was_wrong(codex: Codex, place: Place) -> None:
    codex.connect(place)
    refused = Call("save", DECISION | {"content": "short"})

    with serving(codex.dialect, Call("save", DECISION), SEARCH, refused) as model:
        codex.ask("Remember it.", model=model)

    saved, found, sentence = map(result, model.results())
    (stored,) = place.call("search", key=place.key(), query="staging")["results"]
    assert json.loads(saved)["id"] == stored["id"]
    assert json.loads(saved)["outcome"] == "created"
    (hit,) = json.loads(found)["results"]
    assert {name: hit[name] for name in DECISION} == DECISION
    assert hit["client"] == stored["client"] == "Codex"
    assert "12" in sentence
    record(Codex.name, Codex.version, call=YES)


def test_disconnected_on_the_dashboard_it_says_so_and_can_sign_in_again(
    codex: Codex, place: Place
) -> None:
    codex.connect(place)
    place.disconnect()
    login = place.snippet("codex", "codex-login")

    with serving(codex.dialect, Say()) as model:
        asked = codex.ask("What do you remember?", model=model)
    again = codex.terminal.sign_in("sh", "-c", login, person=place.person)
    with serving(codex.dialect, SEARCH) as later:
        codex.ask("And now?", model=later)

    assert asked.code == 0
    assert model.tools() == {}
    assert "The token is not valid for this address." in asked.output
    assert again.code == 0
    assert json.loads(result(later.results()[0]))["results"] == []
    record(Codex.name, Codex.version, revoke=YES)


def test_signing_out_in_the_terminal_only_forgets_the_tokens_there(
    codex: Codex, place: Place
) -> None:
    codex.connect(place)
    name = place.snippet("codex", "codex-login").split()[-1]

    codex.terminal.run("codex", "mcp", "logout", name)

    assert "Not logged in" in codex.status()
    # So the documentation sends people to the dashboard; should this change, so does it.
    assert place.access_tokens() == 1
    record(
        Codex.name,
        Codex.version,
        notes="`codex mcp logout` forgets the tokens without telling the server: "
        "disconnect it on the dashboard as well.",
    )


def test_with_an_api_key_from_the_environment_it_needs_no_browser(
    codex: Codex, place: Place
) -> None:
    settings = codex.terminal.home / ".codex" / "config.toml"
    with settings.open("a") as file:
        file.write(place.snippet("key", "key-codex") + "\n")
    key = {"AGENTS_BRAIN_KEY": place.key()}

    with serving(codex.dialect, Call("save", DECISION)) as model:
        codex.ask("Remember it.", model=model, variables=key)

    assert json.loads(result(model.results()[0]))["outcome"] == "created"
