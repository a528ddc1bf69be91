"""What the person is asked by itself: what lapsed, what has no source, what commands."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actors import Actor
from memories import tasks
from memories.models import Memory, Question, ReviewItem, ReviewState
from memories.rules.checkpoints import CheckpointFields
from memories.services.asking import ask, withdraw
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.noticing import (
    notice_about,
    notice_expired,
    notice_instructions,
    notice_unsourced,
    withdraw_moot,
)
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.services.resolutions.questions import COMMAND, lapse, pair, unsourced


def questions(space: Space) -> list[tuple[str, object]]:
    with inside(space):
        return [(item.question, item.memory_id) for item in ReviewItem.objects.open()]


def observed(space: Space, number: int = 1) -> Memory:
    return make_memory(space, f"Build {number} passed on main.", kind="observation")


def test_a_lapsed_observation_is_asked_about_once(space: Space) -> None:
    memory = observed(space)
    lapse(memory)

    assert (notice_expired(space), notice_expired(space)) == (1, 0)

    assert questions(space) == [(Question.EXPIRED, memory.pk)]


def test_a_lapsed_checkpoint_is_asked_about(space: Space, agent: Actor) -> None:
    fields = CheckpointFields(task="Shop", goal="Cards work", next_step="Try one")
    lapse(checkpoint_task(space=space, actor=agent, fields=fields).memory)

    assert notice_expired(space) == 1


def test_what_holds_or_is_forgotten_is_not_asked_about(space: Space, person: Actor) -> None:
    observed(space, 1)
    gone = observed(space, 2)
    lapse(gone)
    forget_memory(space=space, actor=person, memory_id=gone.pk)

    assert notice_expired(space) == 0


def test_a_run_has_an_end_and_the_next_goes_on(space: Space) -> None:
    for number in range(5):
        lapse(observed(space, number))

    assert [notice_expired(space, at_most=2) for _ in range(4)] == [2, 2, 1, 0]


def test_a_rule_of_an_agent_without_a_source_is_asked_about_once(space: Space) -> None:
    item = unsourced(space)

    assert notice_unsourced(space) == 0
    assert questions(space) == [(Question.UNSOURCED, item.memory_id)]


def test_rules_with_a_source_and_rules_of_the_person_are_not_asked_about(
    space: Space, person: Actor
) -> None:
    make_memory(space)
    make_memory(space, "Prices are in cents.", actor=person, source="", rationale="")
    confirmed = make_memory(space, "We never work on Sundays.")
    with inside(space):
        Memory.objects.filter(pk=confirmed.pk).update(source="", person_confirmed_at=timezone.now())

    assert notice_unsourced(space) == 0


def test_what_a_tool_said_that_commands_is_asked_about_with_its_signs(space: Space) -> None:
    memory = make_memory(space, COMMAND, kind="observation", author="tool", rationale="")
    make_memory(space, "The page says that 5.2 is out.", kind="observation", author="tool")

    assert (notice_instructions(space), notice_instructions(space)) == (1, 0)

    with inside(space):
        item = ReviewItem.objects.get()
    assert (item.question, item.memory_id) == (Question.INSTRUCTION, memory.pk)
    assert "override" in item.evidence["reasons"]


def test_the_persons_and_an_agents_own_words_are_no_instruction(
    space: Space, person: Actor
) -> None:
    make_memory(space, COMMAND, kind="observation", actor=person)
    make_memory(space, f"{COMMAND} Now.", kind="observation")

    assert notice_instructions(space) == 0


def test_instructions_have_an_end_too(space: Space) -> None:
    for number in range(3):
        make_memory(space, f"{COMMAND} Page {number}.", kind="observation", author="tool")

    assert [notice_instructions(space, at_most=2) for _ in range(3)] == [2, 1, 0]


@pytest.mark.parametrize(
    ("content", "author", "expected"),
    [(COMMAND, "tool", 1), (COMMAND, "agent", 0), ("Version 5.2 is out.", "tool", 0)],
)
def test_one_memory_is_looked_at_when_it_is_written(
    space: Space, content: str, author: str, expected: int
) -> None:
    memory = make_memory(space, content, kind="observation", author=author)

    with inside(space):
        assert (notice_about(memory), notice_about(memory)) == (expected, 0)


def test_a_rule_without_a_source_is_seen_when_it_is_written(space: Space) -> None:
    memory = make_memory(space)
    memory.source = ""

    with inside(space):
        assert notice_about(memory) == 1


def test_what_no_longer_holds_is_not_looked_at(space: Space, agent: Actor) -> None:
    memory = make_memory(space, COMMAND, kind="observation", author="tool")
    memory = forget_memory(space=space, actor=agent, memory_id=memory.pk).memory

    with inside(space):
        assert notice_about(memory) == 0


def test_questions_that_answered_themselves_are_closed(space: Space, agent: Actor) -> None:
    item, open_one = pair(space), unsourced(space)
    forget_memory(space=space, actor=agent, memory_id=item.memory_id)
    renewed = observed(space)
    lapse(renewed)
    notice_expired(space)
    with inside(space):
        later = timezone.now() + timedelta(days=1)
        Memory.objects.filter(pk=renewed.pk).update(expires_at=later)

    assert (withdraw_moot(space, at_most=1), withdraw_moot(space), withdraw_moot(space)) == (
        1,
        1,
        0,
    )

    assert questions(space) == [(Question.UNSOURCED, open_one.memory_id)]


def test_a_pair_that_agrees_by_now_is_withdrawn(space: Space) -> None:
    item = pair(space)
    with inside(space):
        assert item.other is not None
        withdraw(Question.DISAGREEMENT, item.other, item.memory)
        item.refresh_from_db()

        assert (item.state, item.resolution) == (ReviewState.RESOLVED, "withdrawn")
        assert ask(Question.DISAGREEMENT, item.memory, other=item.other) is True


def test_nothing_of_another_space_is_noticed(space: Space) -> None:
    other = make_space(owner=space.owner)
    lapse(observed(other))

    assert (notice_expired(space), notice_unsourced(space), notice_instructions(space)) == (0, 0, 0)
    assert withdraw_moot(space) == 0


@pytest.mark.django_db(transaction=True)
def test_the_sweep_asks_about_what_time_brought(space: Space, eager_jobs: None) -> None:
    memory = observed(space)
    lapse(memory)

    tasks.look_through_everywhere.delay()
    tasks.look_through_everywhere.delay()

    assert questions(space) == [(Question.EXPIRED, memory.pk)]
