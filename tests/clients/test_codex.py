"""Codex against the started product: sign-in, tools, refresh, access taken away."""

import json

import pytest

from tests.clients.coding_agents import CODEX, Codex, ask_at_once
from tests.clients.conftest import NewPlace
from tests.clients.expected import DECISION, LINES, descriptions, instructions_of, parameters
from tests.clients.place import Place
from tests.clients.results import YES, record
from tests.clients.scripted_models import Call, Say, serving

pytestmark = [pytest.mark.product, pytest.mark.clients]
NAME, VERSION = "Codex", CODEX[1]
SEARCH = Call("search", {"query": "staging database"})


def result(text: str) -> str:
    """Return what a tool answered, without the time that Codex puts before it."""
    return text.partition("Output:\n")[2]


def test_adding_the_address_signs_in_at_once(codex: Codex, place: Place) -> None:
    signed_in = codex.connect(place)

    assert signed_in.code == 0
    assert "Successfully logged in" in signed_in.output
    assert place.url in codex.status()
    assert "OAuth" in codex.status()
    record(NAME, VERSION, sign_in=YES)


@pytest.mark.parametrize("language", ["en", "pt"])
def test_its_model_reads_the_instructions_and_every_tool_as_the_product_wrote_them(
    codex: Codex, new_place: NewPlace, language: str
) -> None:
    place = new_place(language)
    codex.connect(place)

    with serving(codex.dialect, Say()) as model:
        asked = codex.ask("What do you remember?", model=model)

    tools = model.tools()
    assert asked.code == 0
    assert instructions_of(place, language=language) in model.read()
    assert {name: tool.description for name, tool in tools.items()} == descriptions()
    assert {name: set(tool.schema["properties"]) for name, tool in tools.items()} == parameters()
    record(NAME, VERSION, list=YES)


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
    record(NAME, VERSION, call=YES)


def test_a_person_who_allows_reading_only_gives_its_model_two_tools(
    codex: Codex, place: Place
) -> None:
    place.person.access = "read"
    codex.connect(place)

    with serving(codex.dialect, SEARCH) as model:
        codex.ask("What do you remember?", model=model)

    assert set(model.tools()) == {"search", "resume"}
    assert json.loads(result(model.results()[0]))["results"] == []


def test_it_goes_on_with_a_new_access_token_when_the_old_one_has_run_out(
    codex: Codex, place: Place
) -> None:
    codex.connect(place)
    # Codex asks its own clock as well; the product's is what decides.
    place.expire_access()
    before = place.access_tokens()

    with serving(codex.dialect, SEARCH) as model:
        codex.ask("What do you remember?", model=model)

    assert json.loads(result(model.results()[0]))["results"] == []
    assert (before, place.access_tokens()) == (0, 1)
    record(NAME, VERSION, refresh=YES)


def test_in_two_terminals_at_once_both_go_on_when_the_access_token_has_run_out(
    codex: Codex, place: Place
) -> None:
    codex.connect(place)
    place.expire_access()

    with serving(codex.dialect, SEARCH) as one, serving(codex.dialect, SEARCH) as two:
        ask_at_once(codex, "And?", one, two)
    with serving(codex.dialect, SEARCH) as later:
        codex.ask("And later?", model=later)

    for (text,) in (one.results(), two.results(), later.results()):
        assert json.loads(result(text))["results"] == []


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
    record(NAME, VERSION, revoke=YES)


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
        NAME,
        VERSION,
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
