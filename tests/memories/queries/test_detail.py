"""One memory with everything that is known of it."""

from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.actors import Actor
from brain.lib.errors import NotFoundError
from memories.models import Memory
from memories.queries.detail import memory_detail, memory_version
from memories.rules.checkpoints import CheckpointFields
from memories.services.checkpointing import checkpoint_task
from memories.services.revising import Revision, revise_memory
from spaces.models import Space
from tests.factories import make_memory, make_space


def revised(memory: Memory, actor: Actor, times: int) -> Memory:
    for number in range(times):
        change = Revision(content=f"We deploy on day number {number}.")
        revise_memory(space=memory.space, actor=actor, memory_id=memory.pk, revision=change)
    return memory


def test_a_memory_comes_with_versions_activity_sources_and_questions(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, actor=person)
    make_memory(space, source="Bruno")
    revised(memory, agent, 2)

    detail = memory_detail(space, memory.pk)

    assert detail.memory.content == "We deploy on day number 1."
    assert detail.standing == "active"
    assert [version.number for version in detail.versions] == [3, 2, 1]
    assert [line.verb for line in detail.activity] == ["revised", "revised", "refreshed", "saved"]
    assert [source.text for source in detail.more_sources] == ["Bruno"]
    assert [item.question for item in detail.questions] == ["changed_by_agent"]


def test_a_checkpoint_says_what_it_replaced_and_what_replaced_it(
    space: Space, agent: Actor
) -> None:
    fields = CheckpointFields(task="Shop", goal="Cards work", next_step="Write the test")
    first = checkpoint_task(space=space, actor=agent, fields=fields).memory
    second = checkpoint_task(space=space, actor=agent, fields=fields).memory

    earlier, later = (memory_detail(space, memory.pk) for memory in (first, second))

    assert earlier.memory.superseded_by == second
    assert earlier.standing == "superseded"
    assert list(later.replaces) == [first]


def test_another_space_and_no_memory_are_answered_alike(space: Space) -> None:
    elsewhere = make_memory(make_space())

    for memory_id in (elsewhere.pk, uuid4()):
        with pytest.raises(NotFoundError, match="There is no such memory"):
            memory_detail(space, memory_id)
        with pytest.raises(NotFoundError, match="There is no such version"):
            memory_version(space, memory_id, number=1)


def test_one_version_is_read_by_its_number(space: Space, agent: Actor) -> None:
    memory = revised(make_memory(space), agent, 1)

    version = memory_version(space, memory.pk, number=1)

    assert (version.content, version.memory) == (memory.content, memory)
    with pytest.raises(NotFoundError):
        memory_version(space, memory.pk, number=3)


def test_a_detail_asks_the_database_as_often_for_one_version_as_for_twenty(
    space: Space, agent: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    memory = make_memory(space)
    with django_assert_num_queries(11):
        memory_detail(space, memory.pk)
    revised(memory, agent, 20)

    with django_assert_num_queries(11):
        memory_detail(space, memory.pk)
