"""What one agent saves, the other finds: in the same space, and as its model reads it."""

from dataclasses import dataclass

import pytest

from tests.clients.coding_agents import ClaudeCode, Codex, CodingAgent, structured
from tests.clients.expected import DECISION
from tests.clients.place import Place
from tests.clients.scripted_models import Call, serving

pytestmark = [pytest.mark.product, pytest.mark.clients]


@dataclass
class Pair:
    """Two agents that are signed in to one space, and the names that it knows them by."""

    claude_code: ClaudeCode
    codex: Codex

    def one_after_the_other(self, order: str) -> tuple[CodingAgent, CodingAgent]:
        pair: tuple[CodingAgent, CodingAgent] = (self.claude_code, self.codex)
        return pair if order == "Claude Code first" else (pair[1], pair[0])


@pytest.fixture
def pair(claude_code: ClaudeCode, codex: Codex, place: Place) -> Pair:
    claude_code.connect(place)
    codex.connect(place)
    return Pair(claude_code, codex)


@pytest.mark.parametrize("order", ["Claude Code first", "Codex first"])
def test_a_decision_that_one_saves_is_found_by_the_other(pair: Pair, order: str) -> None:
    writer, reader = pair.one_after_the_other(order)
    with serving(writer.dialect, Call("save", DECISION)) as writing:
        writer.ask("Remember that staging is rebuilt on Mondays.", model=writing)

    with serving(reader.dialect, Call("search", {"query": "When is staging rebuilt?"})) as reading:
        reader.ask("When is staging rebuilt?", model=reading)

    saved, found = structured(writing.results()[0]), structured(reading.results()[0])
    (hit,) = found["results"]
    assert hit["id"] == saved["id"]
    assert {name: hit[name] for name in DECISION} == DECISION
    assert hit["author"] == "agent"
    assert hit["client"].startswith(order.removesuffix(" first"))


@pytest.mark.parametrize("order", ["Claude Code first", "Codex first"])
def test_a_task_that_one_stops_is_resumed_and_moved_on_by_the_other(pair: Pair, order: str) -> None:
    first, second = pair.one_after_the_other(order)
    stopped = {"task": "Move staging", "goal": "Staging on new hosts", "next_step": "Copy data"}
    moved_on = stopped | {"done": "Data copied", "next_step": "Switch the name over"}
    with serving(first.dialect, Call("checkpoint", stopped)) as stopping:
        first.ask("Stop here.", model=stopping)

    turns = (Call("resume", {}), Call("checkpoint", moved_on), Call("resume", {}))
    with serving(second.dialect, *turns) as going_on:
        second.ask("Go on where the work stopped.", model=going_on)

    resumed, moved, again = map(structured, going_on.results())
    assert structured(stopping.results()[0])["outcome"] == "created"
    assert [one["next_step"] for one in resumed["checkpoints"]] == ["Copy data"]
    assert moved["outcome"] == "replaced"
    assert [one["next_step"] for one in again["checkpoints"]] == ["Switch the name over"]
