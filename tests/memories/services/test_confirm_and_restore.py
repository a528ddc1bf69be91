"""What only the person does with a memory that there is: confirm it, bring it back."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotAllowedError, NotFoundError
from memories.models import Activity, Memory, MemoryVersion, ReviewItem, ReviewState, State
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import (
    confirm_memory,
    erase_memory,
    erase_version,
    restore_memory,
    restore_version,
)
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory, make_space

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
NEW = "We deploy on Mondays at noon."


def revise(memory: Memory, actor: Actor, **changes: Any) -> Memory:
    return revise_memory(
        space=memory.space, actor=actor, memory_id=memory.pk, revision=Revision(**changes)
    ).memory


def last_verb(space: Space) -> str:
    with inside(space):
        return Activity.objects.in_space(space)[0].verb


# Confirm


def test_a_confirmation_is_counted_and_dated(space: Space, person: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        memory = make_memory(space)

    with time_machine.travel(TODAY + timedelta(days=1), tick=False):
        now = confirm_memory(space=space, actor=person, memory_id=memory.pk)

    assert (now.confirmations, now.version) == (2, 1)
    assert now.confirmed_at == now.person_confirmed_at == TODAY + timedelta(days=1)
    assert now.updated_at == TODAY
    assert last_verb(space) == "confirmed"


def test_a_confirmation_renews_a_date_and_never_shortens_it(space: Space, person: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        lapsed = make_memory(space, kind="observation")
        long = make_memory(space, NEW, kind="observation", expires_at="2027-01-01")

    with time_machine.travel(TODAY + timedelta(days=40), tick=False):
        lapsed = confirm_memory(space=space, actor=person, memory_id=lapsed.pk)
        long = confirm_memory(space=space, actor=person, memory_id=long.pk)

    assert lapsed.expires_at == TODAY + timedelta(days=70)
    assert long.expires_at == datetime(2027, 1, 1, 23, 59, 59, tzinfo=UTC)


def test_a_confirmation_lets_what_waits_live_and_settles_the_question(
    space: Space, person: Actor
) -> None:
    forgotten = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=forgotten.pk)
    held = make_memory(space)

    now = confirm_memory(space=space, actor=person, memory_id=held.pk)

    assert now.state == State.ACTIVE
    with inside(space):
        item = ReviewItem.objects.get()
    assert (item.state, item.resolution) == (ReviewState.RESOLVED, "confirmed")


def test_a_confirmation_accepts_what_an_agent_changed(
    space: Space, person: Actor, agent: Actor
) -> None:
    memory = make_memory(space, actor=person)
    revise(memory, agent, content=NEW)

    confirm_memory(space=space, actor=person, memory_id=memory.pk)

    with inside(space):
        assert ReviewItem.objects.get().resolution == "accepted"


def test_what_was_forgotten_is_not_confirmed(space: Space, person: Actor, agent: Actor) -> None:
    memory = make_memory(space)
    forget_memory(space=space, actor=agent, memory_id=memory.pk)

    with pytest.raises(DomainError) as refusal:
        confirm_memory(space=space, actor=person, memory_id=memory.pk)

    assert (refusal.value.code, refusal.value.hint) == ("not_confirmable", "Restore it first.")


# Restore


def test_what_was_forgotten_comes_back_as_it_was(space: Space, person: Actor) -> None:
    memory = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=memory.pk)

    now = restore_memory(space=space, actor=person, memory_id=memory.pk)

    assert (now.state, now.content, now.version) == (State.ACTIVE, memory.content, 1)
    assert not now.is_forgotten_by_person
    assert last_verb(space) == "restored"


def test_an_observation_comes_back_with_a_date_that_has_not_passed(
    space: Space, person: Actor
) -> None:
    with time_machine.travel(TODAY, tick=False):
        memory = make_memory(space, kind="observation")
        forget_memory(space=space, actor=person, memory_id=memory.pk)

    with time_machine.travel(TODAY + timedelta(days=40), tick=False):
        now = restore_memory(space=space, actor=person, memory_id=memory.pk)

    assert now.expires_at == TODAY + timedelta(days=70)


def test_restoring_what_holds_changes_nothing(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    restore_memory(space=space, actor=person, memory_id=memory.pk)

    assert last_verb(space) == "saved"


def test_the_person_restores_what_an_agent_forgot_of_theirs(
    space: Space, person: Actor, agent: Actor
) -> None:
    memory = make_memory(space, actor=person)
    forget_memory(space=space, actor=agent, memory_id=memory.pk)

    restore_memory(space=space, actor=person, memory_id=memory.pk)

    with inside(space):
        assert ReviewItem.objects.get().resolution == "restored"


def test_nothing_is_restored_next_to_the_same_fact(space: Space, person: Actor) -> None:
    memory = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=memory.pk)
    make_memory(space, actor=person)

    with pytest.raises(DomainError) as refusal:
        restore_memory(space=space, actor=person, memory_id=memory.pk)

    assert refusal.value.code == "same_fact"
    with inside(space):
        assert Memory.objects.get(pk=memory.pk).state == State.FORGOTTEN


def test_a_replaced_checkpoint_is_restored_only_when_its_task_has_none(
    space: Space, person: Actor, agent: Actor
) -> None:
    fields = CheckpointFields(task="Shop", goal="Cards work", next_step="Write the test")
    first = checkpoint_task(space=space, actor=agent, fields=fields).memory
    second = checkpoint_task(space=space, actor=agent, fields=fields).memory

    with pytest.raises(DomainError):
        restore_memory(space=space, actor=person, memory_id=first.pk)
    forget_memory(space=space, actor=person, memory_id=second.pk)
    now = restore_memory(space=space, actor=person, memory_id=first.pk)

    assert (now.state, now.superseded_by_id) == (State.ACTIVE, None)


# Restore a version


def test_an_earlier_text_comes_back_as_a_new_version(
    space: Space, person: Actor, agent: Actor
) -> None:
    memory = make_memory(space)
    revise(memory, agent, content=NEW, path="Elsewhere", source="Bruno")

    now = restore_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert (now.version, now.content, now.path, now.source) == (3, memory.content, "Project", "Ana")
    assert (now.author, now.client_name) == ("user", "")
    assert now.content_sha256 == memory.content_sha256
    with inside(space):
        versions = list(MemoryVersion.objects.of(now))
    assert [version.number for version in versions] == [3, 2, 1]
    assert (versions[0].operation, versions[0].reason) == ("restored", "version 1")


def test_restoring_the_present_version_changes_nothing(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    now = restore_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert now.version == 1


def test_restoring_a_version_of_what_was_forgotten_makes_it_hold(
    space: Space, person: Actor, agent: Actor
) -> None:
    memory = make_memory(space)
    revise(memory, agent, content=NEW)
    forget_memory(space=space, actor=person, memory_id=memory.pk)

    now = restore_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert (now.state, now.is_forgotten_by_person) == (State.ACTIVE, False)


def test_a_restored_observation_has_a_date_and_a_restored_decision_none(
    space: Space, person: Actor, agent: Actor
) -> None:
    with time_machine.travel(TODAY, tick=False):
        memory = make_memory(space, kind="observation")
        revise(memory, agent, kind="decision")

        observation = restore_version(space=space, actor=person, memory_id=memory.pk, number=1)
        decision = restore_version(space=space, actor=person, memory_id=memory.pk, number=2)

    assert observation.expires_at == TODAY + timedelta(days=30)
    assert decision.expires_at is None


def test_a_restored_text_keeps_a_date_that_has_not_passed(
    space: Space, person: Actor, agent: Actor
) -> None:
    memory = make_memory(space, kind="observation", expires_at="2099-01-01")
    revise(memory, agent, content=NEW)

    now = restore_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert now.expires_at == memory.expires_at


def test_no_version_is_restored_next_to_the_same_fact(
    space: Space, person: Actor, agent: Actor
) -> None:
    memory = make_memory(space)
    revise(memory, agent, content=NEW)
    make_memory(space)

    with pytest.raises(DomainError) as refusal:
        restore_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert refusal.value.code == "same_fact"


def test_a_version_that_there_is_not_is_not_restored(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    with pytest.raises(NotFoundError):
        restore_version(space=space, actor=person, memory_id=memory.pk, number=2)


# Only the person

Door = Callable[[Space, Actor, Memory], object]
DOORS: dict[str, Door] = {
    "confirm": lambda s, a, m: confirm_memory(space=s, actor=a, memory_id=m.pk),
    "restore": lambda s, a, m: restore_memory(space=s, actor=a, memory_id=m.pk),
    "restore a version": lambda s, a, m: restore_version(
        space=s, actor=a, memory_id=m.pk, number=1
    ),
    "erase": lambda s, a, m: erase_memory(space=s, actor=a, memory_id=m.pk),
    "erase a version": lambda s, a, m: erase_version(space=s, actor=a, memory_id=m.pk, number=1),
}


@pytest.mark.parametrize("door", DOORS)
def test_no_agent_may_do_what_only_the_person_does(space: Space, agent: Actor, door: str) -> None:
    memory = make_memory(space)

    with pytest.raises(NotAllowedError):
        DOORS[door](space, agent, memory)

    assert last_verb(space) == "saved"


def test_an_api_key_at_another_door_is_an_agent_too(space: Space) -> None:
    memory = make_memory(space)
    actor = Actor(space.owner, "rest", client_key="key:1")

    with pytest.raises(NotAllowedError):
        confirm_memory(space=space, actor=actor, memory_id=memory.pk)


@pytest.mark.parametrize("door", DOORS)
def test_a_memory_of_another_space_does_not_exist(space: Space, door: str) -> None:
    memory = make_memory(space)
    other = make_space()

    with pytest.raises(NotFoundError) as refusal:
        DOORS[door](other, make_actor(other.owner), memory)

    assert refusal.value.message == "There is no memory with this id in this space."
    with inside(space):
        assert Memory.objects.get().content == memory.content


def test_the_person_is_told_apart_from_their_agents(space: Space) -> None:
    assert agent_of(space).is_agent
    assert make_actor(space.owner).is_person
