"""Erase for good: content and hash go, the tombstone and the events stay."""

import json

import pytest
from django.core import serializers

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotFoundError
from memories.models import Activity, Memory, MemorySource, MemoryVersion, ReviewItem, State
from memories.queries.search import search
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import (
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
from tests.factories import make_memory

SECRET = "Ana's plan is to sell the shop"


def everything(space: Space) -> str:
    """Return every column of every row of the space, as text."""
    models = (Memory, MemoryVersion, MemorySource, Activity, ReviewItem)
    with inside(space):
        rows = [json.loads(serializers.serialize("json", model.objects.all())) for model in models]
        words = list(Memory.objects.values_list("words", flat=True))
    return json.dumps([rows, [str(word) for word in words]])


def memory_full_of_it(space: Space, agent: Actor) -> Memory:
    memory = make_memory(
        space, f"{SECRET} in May.", path="Sellplan", source=SECRET, rationale=SECRET
    )
    make_memory(space, f"{SECRET} in May.", path="Sellplan", source=f"{SECRET}, she said")
    change = Revision(content=f"{SECRET} in June.", reason=SECRET)
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    forget_memory(space=space, actor=agent, memory_id=memory.pk, reason=SECRET)
    return memory


def test_nothing_of_an_erased_memory_is_left_but_the_tombstone_and_the_events(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = memory_full_of_it(space, agent)
    assert SECRET in everything(space)

    erased = erase_memory(space=space, actor=person, memory_id=memory.pk)

    left = everything(space)
    assert SECRET not in left
    assert "ellplan" not in left
    assert "shop" not in left
    assert (erased.state, erased.content, erased.content_sha256) == (State.FORGOTTEN, "", "")
    assert erased.erased_at is not None
    with inside(space):
        verbs = list(Activity.objects.in_space(space).values_list("verb", flat=True))
        assert MemoryVersion.objects.of(erased).count() == 2
    assert verbs == ["erased", "forgotten", "revised", "refreshed", "saved"]


def test_an_erased_checkpoint_loses_its_fields_and_its_task(
    space: Space, agent: Actor, person: Actor
) -> None:
    fields = CheckpointFields(task="Sell the shop", goal=SECRET, next_step="Call the buyer")
    memory = checkpoint_task(space=space, actor=agent, fields=fields).memory

    erase_memory(space=space, actor=person, memory_id=memory.pk)

    left = everything(space)
    assert "shop" not in left.lower()
    assert "buyer" not in left
    assert checkpoint_task(space=space, actor=agent, fields=fields).outcome == "created"


def test_an_erased_memory_is_found_by_nothing(space: Space, agent: Actor, person: Actor) -> None:
    memory = make_memory(space, f"{SECRET} in May.", path="Sellplan")
    erase_memory(space=space, actor=person, memory_id=memory.pk)

    assert not search(space=space, query="sell the shop").hits
    assert not search(space=space, query=str(memory.pk)).hits
    assert not search(space=space).paths


def test_erasing_twice_keeps_the_first_date(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    first = erase_memory(space=space, actor=person, memory_id=memory.pk)
    second = erase_memory(space=space, actor=person, memory_id=memory.pk)

    assert first.erased_at == second.erased_at


def test_what_was_erased_cannot_be_brought_back(space: Space, person: Actor) -> None:
    memory = make_memory(space)
    erase_memory(space=space, actor=person, memory_id=memory.pk)

    with pytest.raises(DomainError) as memory_refused:
        restore_memory(space=space, actor=person, memory_id=memory.pk)
    with pytest.raises(DomainError) as version_refused:
        restore_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert memory_refused.value.code == version_refused.value.code == "erased"


# One version


def test_one_version_is_erased_and_the_present_text_stays(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, f"{SECRET} in May.", source=SECRET, rationale=SECRET)
    change = Revision(content="The shop stays open.", source="Ana", rationale="Asked")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    version = erase_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert SECRET not in everything(space)
    assert (version.number, version.content, version.content_sha256) == (1, "", "")
    with inside(space):
        assert Memory.objects.get().content == "The shop stays open."
        line = Activity.objects.in_space(space)[0]
    assert (line.verb, line.version) == ("version_erased", 1)


def test_the_reason_of_an_erased_change_goes_too(space: Space, agent: Actor, person: Actor) -> None:
    memory = make_memory(space)
    for content in (f"{SECRET} in May.", "The shop stays open."):
        change = Revision(content=content, reason=f"because of: {content}")
        revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    erase_version(space=space, actor=person, memory_id=memory.pk, number=2)

    left = everything(space)
    assert SECRET not in left
    assert "because of: The shop stays open." in left


def test_the_present_version_is_not_erased_alone(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    with pytest.raises(DomainError) as refusal:
        erase_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert refusal.value.code == "current_version"
    assert memory.content in everything(space)


def test_an_erased_version_is_not_restored_and_erased_only_once(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space)
    change = Revision(content="The shop stays open.")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    first = erase_version(space=space, actor=person, memory_id=memory.pk, number=1)

    with pytest.raises(DomainError) as refusal:
        restore_version(space=space, actor=person, memory_id=memory.pk, number=1)
    second = erase_version(space=space, actor=person, memory_id=memory.pk, number=1)

    assert refusal.value.code == "erased"
    assert second.erased_at == first.erased_at
    with inside(space):
        assert Activity.objects.filter(verb="version_erased").count() == 1


def test_a_version_that_there_is_not_is_not_erased(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    with pytest.raises(NotFoundError):
        erase_version(space=space, actor=person, memory_id=memory.pk, number=7)
