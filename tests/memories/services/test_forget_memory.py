"""Forget: it stops loading and stays readable as history."""

from uuid import uuid4

import pytest

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotFoundError
from memories.models import Activity, Memory, MemoryVersion, Question, ReviewItem, ReviewState
from memories.services.forgetting import Forgotten, forget_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space


def forget(memory: Memory, actor: Actor, reason: str = "") -> Forgotten:
    return forget_memory(space=memory.space, actor=actor, memory_id=memory.pk, reason=reason)


def test_what_is_forgotten_keeps_its_text_and_its_versions(space: Space, agent: Actor) -> None:
    memory = make_memory(space)

    forgotten = forget(memory, agent, "It was wrong")

    assert forgotten.outcome == "forgotten"
    assert (forgotten.memory.state, forgotten.memory.content) == ("forgotten", memory.content)
    assert not forgotten.memory.is_forgotten_by_person
    with inside(space):
        assert MemoryVersion.objects.of(memory).count() == 1
        line = Activity.objects.in_space(space)[0]
    assert (line.verb, line.reason, line.client_name) == (
        "forgotten",
        "It was wrong",
        "Claude Code",
    )


def test_forgetting_twice_says_so_and_writes_nothing(space: Space, agent: Actor) -> None:
    memory = make_memory(space)
    first = forget(memory, agent)

    second = forget(memory, agent)

    assert second.outcome == "already_forgotten"
    assert second.memory.state_at == first.memory.state_at
    with inside(space):
        assert Activity.objects.count() == 2


def test_the_persons_forget_counts_also_after_an_agents(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space)
    forget(memory, agent)

    assert forget(memory, person).outcome == "already_forgotten"
    assert make_memory(space).state == "held"


def test_an_agent_does_not_weaken_the_persons_forget(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space)
    forget(memory, person)

    assert forget(memory, agent).memory.is_forgotten_by_person


def test_what_an_agent_forgets_of_the_persons_appears_in_review(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, actor=person)

    forget(memory, agent)

    with inside(space):
        item = ReviewItem.objects.get()
    assert (item.question, item.evidence) == (
        Question.CHANGED_BY_AGENT,
        {"version": 1, "change": "forgotten"},
    )


def test_the_persons_forget_settles_every_question_about_it(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, actor=person)
    forget(memory, agent)

    forget(memory, person)

    with inside(space):
        item = ReviewItem.objects.get()
    assert (item.state, item.resolution, item.resolved_by) == (
        ReviewState.RESOLVED,
        "forgotten",
        space.owner,
    )


def test_what_an_agent_takes_back_is_no_question_any_more(
    space: Space, agent: Actor, person: Actor
) -> None:
    forget(make_memory(space), person)
    held = make_memory(space)

    forget(held, agent)

    with inside(space):
        assert ReviewItem.objects.get().resolution == "withdrawn"
    assert make_memory(space).state == "held"


def test_the_reason_has_a_limit_and_loses_its_secrets(space: Space, agent: Actor) -> None:
    memory = make_memory(space)
    secret = "npm" + "_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d"

    with pytest.raises(DomainError) as refusal:
        forget(memory, agent, "x" * 501)
    forget(memory, agent, f"had {secret} in it")

    assert refusal.value.code == "too_long"
    with inside(space):
        assert Activity.objects.in_space(space)[0].reason == "had [redacted: npm_token] in it"


def test_strangers_and_unknown_ids_are_answered_alike(space: Space) -> None:
    memory = make_memory(space)
    other = make_space()

    for memory_id in (memory.pk, uuid4()):
        with pytest.raises(NotFoundError) as refusal:
            forget_memory(space=other, actor=agent_of(other), memory_id=memory_id)
        assert refusal.value.message == "There is no memory with this id in this space."

    with inside(space):
        assert Memory.objects.get().state == "active"
