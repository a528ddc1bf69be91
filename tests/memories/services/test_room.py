"""How many memories a space may have."""

from collections.abc import Callable
from functools import partial

import pytest
from django.conf import LazySettings

from memories.models import Memory, State
from memories.rules.checkpoints import CheckpointFields
from memories.services import room
from memories.services.affirming import restore_memory
from memories.services.checkpointing import Checkpointed, checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from memories.services.room import NoRoomError, need_room
from memories.services.saving import Draft, Saved, save_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory, make_space
from tests.races import all_at_once

LIMIT = 4
TEXTS = [f"The {word} is kept in the second drawer." for word in ("key", "map", "seal", "lamp")]


@pytest.fixture
def full(space: Space, settings: LazySettings) -> Space:
    """Return a space that holds as many memories as it may."""
    settings.MEMORIES_PER_SPACE = LIMIT
    for text in TEXTS:
        make_memory(space, text)
    return space


def live(space: Space) -> int:
    with inside(space):
        return Memory.objects.filter(space=space, state__in=[State.ACTIVE, State.HELD]).count()


def checkpoint(space: Space, task: str) -> Checkpointed:
    fields = CheckpointFields(task=task, goal="Ship it", next_step="Write the tests")
    return checkpoint_task(space=space, actor=agent_of(space), fields=fields)


def test_a_full_space_takes_no_new_memory_and_says_what_to_do(full: Space) -> None:
    with pytest.raises(NoRoomError) as caught:
        make_memory(full, "The coffee is roasted on Tuesdays.")

    assert caught.value.sentence == (
        "This space holds 4 memories, the most it may. "
        "Forget what no longer holds, or revise a memory that is there."
    )
    assert live(full) == LIMIT
    with inside(full):
        assert Memory.objects.filter(space=full).count() == LIMIT


def test_what_is_there_is_confirmed_and_revised_as_before(full: Space) -> None:
    again = make_memory(full, TEXTS[0])

    revised = revise_memory(
        space=full,
        actor=agent_of(full),
        memory_id=again.pk,
        revision=Revision(content="The key is kept in the first drawer."),
    )

    assert again.confirmations == 2
    assert revised.outcome == "revised"


def test_forgetting_makes_room(full: Space) -> None:
    memory = make_memory(full, TEXTS[0])
    forget_memory(space=full, actor=agent_of(full), memory_id=memory.pk)

    make_memory(full, "The coffee is roasted on Tuesdays.")

    assert live(full) == LIMIT


def test_what_was_forgotten_comes_back_only_while_there_is_room(full: Space) -> None:
    memory = make_memory(full, TEXTS[0])
    forget_memory(space=full, actor=agent_of(full), memory_id=memory.pk)
    make_memory(full, "The coffee is roasted on Tuesdays.")

    with pytest.raises(NoRoomError):
        restore_memory(space=full, actor=make_actor(full.owner), memory_id=memory.pk)

    assert live(full) == LIMIT


def test_a_new_task_finds_no_room_and_a_running_one_goes_on(
    space: Space, settings: LazySettings
) -> None:
    checkpoint(space, "Release")
    for text in TEXTS[:3]:
        make_memory(space, text)
    settings.MEMORIES_PER_SPACE = LIMIT

    with pytest.raises(NoRoomError):
        checkpoint(space, "Another one")
    replaced = checkpoint(space, "Release")

    assert replaced.outcome == "replaced"


def test_another_space_has_a_limit_of_its_own(full: Space) -> None:
    other = make_space()

    make_memory(other, "The coffee is roasted on Tuesdays.")

    assert live(other) == 1


@pytest.mark.django_db(transaction=True)
def test_saves_at_once_never_pass_the_limit(settings: LazySettings) -> None:
    space = make_space()
    settings.MEMORIES_PER_SPACE = LIMIT
    drafts = [
        Draft(f"The {word} is kept in the attic.", "observation", "House")
        for word in ("bell", "book", "candle", "chair", "clock", "coat", "desk", "drum")
    ]
    calls: list[Callable[[], Saved]] = [
        partial(save_memory, space=space, actor=agent_of(space), draft=draft) for draft in drafts
    ]

    outcomes = all_at_once(calls)

    assert sum(isinstance(each, Saved) for each in outcomes) == LIMIT
    assert sum(isinstance(each, NoRoomError) for each in outcomes) == len(drafts) - LIMIT
    assert live(space) == LIMIT


def test_far_from_the_limit_one_count_serves_many_additions(
    space: Space, settings: LazySettings, django_assert_num_queries: object
) -> None:
    settings.MEMORIES_PER_SPACE = 100_000
    with inside(space):
        need_room(space)

        with django_assert_num_queries(0):  # type: ignore[operator]
            for _number in range(20):
                need_room(space)


def test_what_this_process_adds_is_counted_without_asking(
    space: Space, settings: LazySettings
) -> None:
    settings.MEMORIES_PER_SPACE = 100_000
    with inside(space):
        need_room(space)
        need_room(space, adding=89_998)

        # Ten thousand below the limit it counts exactly again, and finds an empty space.
        need_room(space, adding=2)

    assert room._counted[space.pk].size == 0
