"""Where the work stopped."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Answer, Memory, Question
from memories.queries.resume import AT_MOST, Resumed, resume
from memories.rules.checkpoints import CheckpointFields
from memories.services.checkpointing import checkpoint_task
from memories.services.comparing import compare_recent
from memories.services.forgetting import forget_memory
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.services.resolutions.questions import answered, asked

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def checkpoint(space: Space, actor: Actor, task: str, next_step: str = "Go on") -> Memory:
    fields = CheckpointFields(task=task, goal="It works", next_step=next_step)
    return checkpoint_task(space=space, actor=actor, fields=fields).memory


def tasks(resumed: Resumed) -> list[str]:
    return [memory.checkpoint_fields["task"] for memory in resumed.checkpoints]


def test_the_checkpoints_in_progress_come_newest_first(space: Space, agent: Actor) -> None:
    for day, task in enumerate(("Basket", "Payment", "Basket")):
        with time_machine.travel(TODAY + timedelta(days=day), tick=False):
            checkpoint(space, agent, task, f"Step {day}")
    make_memory(space)

    with time_machine.travel(TODAY + timedelta(days=3), tick=False):
        resumed = resume(space=space)

    assert tasks(resumed) == ["Basket", "Payment"]
    assert resumed.checkpoints[0].checkpoint_fields["next_step"] == "Step 2"


@pytest.mark.parametrize("task", ["Payment page", "payment  PAGE.", " Payment page "])
def test_one_task_brings_its_checkpoint(space: Space, agent: Actor, task: str) -> None:
    checkpoint(space, agent, "Basket")
    checkpoint(space, agent, "Payment page")

    assert tasks(resume(space=space, task=task)) == ["Payment page"]


def test_without_an_exact_match_the_nearest_tasks_are_offered(space: Space, agent: Actor) -> None:
    for task in ("Payment page", "Payment of invoices", "Kitchen floor"):
        checkpoint(space, agent, task)

    resumed = resume(space=space, task="payments")

    assert not resumed.checkpoints
    assert set(resumed.nearest_tasks[:2]) == {"Payment page", "Payment of invoices"}


def test_a_part_of_a_name_is_near_enough(space: Space, agent: Actor) -> None:
    checkpoint(space, agent, "Move the whole shop to the new payment provider")

    assert resume(space=space, task="payment").nearest_tasks


def test_nothing_near_offers_nothing(space: Space, agent: Actor) -> None:
    checkpoint(space, agent, "Kitchen floor")

    assert resume(space=space, task="zzzz") == Resumed(nearest_tasks=[])


def test_what_does_not_hold_is_not_resumed(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY - timedelta(days=15), tick=False):
        checkpoint(space, agent, "Old task")
    with time_machine.travel(TODAY, tick=False):
        forgotten = checkpoint(space, agent, "Dropped task")
        forget_memory(space=space, actor=agent, memory_id=forgotten.pk)

        assert resume(space=space) == Resumed([])
        assert not resume(space=space, task="Old task").checkpoints
        assert not resume(space=space, task="Dropped task").nearest_tasks


def test_another_space_is_not_resumed(space: Space, agent: Actor) -> None:
    checkpoint(make_space(), agent, "Payment page")

    assert resume(space=space) == Resumed([])
    assert not resume(space=space, task="Payment page").nearest_tasks


def test_what_the_checkpoints_mention_and_the_person_has_to_choose_between_is_named(
    space: Space, agent: Actor
) -> None:
    one = make_memory(space, "Keep backups for 30 days.", path="Shop.Backups")
    two = make_memory(space, "Keep backups for 90 days.", path="Shop.Backups")
    checkpoint(space, agent, "Move the backups", "Follow [[Shop.Backups]]")
    checkpoint(space, agent, "Paint the kitchen")

    before = resume(space=space).disagreements
    compare_recent(space)
    every, only, other = (
        resume(space=space, task=task).disagreements
        for task in ("", "Move the backups", "Paint the kitchen")
    )
    answered(asked(space, Question.DISAGREEMENT), Answer.KEPT_BOTH)
    after = resume(space=space).disagreements

    assert every == only == [(one.pk, two.pk)]
    assert not before
    assert not other
    assert not after


def test_at_most_ten_come_and_the_rest_is_counted(space: Space, agent: Actor) -> None:
    for number in range(AT_MOST + 2):
        checkpoint(space, agent, f"Task {number}")

    resumed = resume(space=space)

    assert (len(resumed.checkpoints), resumed.more) == (AT_MOST, 2)


def test_a_task_that_is_too_long_is_refused(space: Space) -> None:
    with pytest.raises(DomainError) as refusal:
        resume(space=space, task="x" * 501)

    assert refusal.value.code == "too_long"
