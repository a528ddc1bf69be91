import pytest

from accounts.actors import Actor
from memories.models import Memory
from memories.queries import links
from memories.queries.detail import memory_detail
from memories.services.affirming import erase_memory
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.models import Space
from tests.factories import make_memory


def neighbours_of(memory: Memory) -> set[tuple[str, Memory, str]]:
    detail = memory_detail(memory.space, memory.pk)
    return {(each.reason, each.memory, each.standing) for each in detail.links}


def test_a_link_is_told_from_both_ends(space: Space, agent: Actor) -> None:
    named = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    naming = make_memory(space, f"Never on Sundays, says {named.pk}.", path="Deploy")
    forget_memory(space=space, actor=agent, memory_id=naming.pk)

    assert neighbours_of(naming) == {("mentions", named, "active"), ("same path", named, "active")}
    assert neighbours_of(named) == {
        ("mentioned by", naming, "forgotten"),
        ("same path", naming, "forgotten"),
    }


def test_a_neighbour_that_moved_or_was_erased_is_none(
    space: Space, person: Actor, agent: Actor
) -> None:
    moved = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    erased = make_memory(space, "We deploy on Mondays at noon.", path="Deploy")
    memory = make_memory(space, "We deploy on Sundays at noon.", path="Deploy")
    elsewhere = Revision(path="Elsewhere")
    revise_memory(space=space, actor=agent, memory_id=moved.pk, revision=elsewhere)
    erase_memory(space=space, actor=person, memory_id=erased.pk)

    assert neighbours_of(memory) == set()


def test_only_as_many_as_can_be_read_are_told(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "MOST", 2)
    named = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    for number in range(3):
        make_memory(space, f"Number {number} of {named.pk}.", path=f"Other{number}")

    assert len(neighbours_of(named)) == 2
