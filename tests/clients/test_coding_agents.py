"""What Claude Code and Codex do alike, each with its own model and its own sign-in."""

import pytest

from tests.clients.coding_agents import SEARCH, CodingAgent, ask_at_once, structured
from tests.clients.conftest import NewPlace
from tests.clients.expected import descriptions, instructions_of, parameters
from tests.clients.place import Place
from tests.clients.results import YES, record
from tests.clients.scripted_models import Say, serving

pytestmark = [pytest.mark.product, pytest.mark.clients]


@pytest.fixture(params=["claude_code", "codex"])
def agent(request: pytest.FixtureRequest) -> CodingAgent:
    chosen: CodingAgent = request.getfixturevalue(request.param)
    return chosen


@pytest.mark.parametrize("language", ["en", "pt"])
def test_its_model_reads_the_instructions_and_every_tool_as_the_product_wrote_them(
    agent: CodingAgent, new_place: NewPlace, language: str
) -> None:
    place = new_place(language)
    agent.connect(place)

    with serving(agent.dialect, Say()) as model:
        asked = agent.ask("What do you remember?", model=model)

    tools = model.tools()
    assert asked.code == 0
    assert instructions_of(place, language=language) in model.read()
    assert {name: tool.description for name, tool in tools.items()} == descriptions()
    assert {name: set(tool.schema["properties"]) for name, tool in tools.items()} == parameters()
    record(agent.name, agent.version, list=YES)


def test_a_person_who_allows_reading_only_gives_its_model_two_tools(
    agent: CodingAgent, place: Place
) -> None:
    place.person.access = "read"
    agent.connect(place)

    with serving(agent.dialect, SEARCH) as model:
        agent.ask("What do you remember?", model=model)

    assert set(model.tools()) == {"search", "resume"}
    assert structured(model.results()[0])["results"] == []


def test_it_goes_on_with_a_new_access_token_when_the_old_one_has_run_out(
    agent: CodingAgent, place: Place
) -> None:
    agent.connect(place)
    # Codex asks its own clock as well; the product's is what decides.
    place.expire_access()
    before = place.access_tokens()

    with serving(agent.dialect, SEARCH) as model:
        agent.ask("What do you remember?", model=model)

    assert structured(model.results()[0])["results"] == []
    assert (before, place.access_tokens()) == (0, 1)
    record(agent.name, agent.version, refresh=YES)


def test_in_two_terminals_at_once_both_go_on_when_the_access_token_has_run_out(
    agent: CodingAgent, place: Place
) -> None:
    agent.connect(place)
    place.expire_access()

    with serving(agent.dialect, SEARCH) as one, serving(agent.dialect, SEARCH) as two:
        ask_at_once(agent, "And?", one, two)
    with serving(agent.dialect, SEARCH) as later:
        agent.ask("And later?", model=later)

    for (text,) in (one.results(), two.results(), later.results()):
        assert structured(text)["results"] == []
