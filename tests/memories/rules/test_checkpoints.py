"""The state of a task as text, and how task names are compared."""

import pytest

from memories.rules.checkpoints import CheckpointFields, as_text, task_key

FIELDS = CheckpointFields(
    task="Payment page", goal="Cards work", next_step="Write the test", blockers="No sandbox key"
)


def test_a_checkpoint_reads_as_labelled_lines_in_order() -> None:
    assert as_text(FIELDS) == (
        "Task: Payment page\nGoal: Cards work\nNext step: Write the test\nBlockers: No sandbox key"
    )


def test_only_fields_that_say_something_are_kept() -> None:
    assert FIELDS.filled() == {
        "task": "Payment page",
        "goal": "Cards work",
        "next_step": "Write the test",
        "blockers": "No sandbox key",
    }


@pytest.mark.parametrize("name", ["payment page", "  Payment   PAGE ", "Payment page."])
def test_case_spaces_and_final_punctuation_make_no_other_task(name: str) -> None:
    assert task_key(name) == task_key("Payment page")


def test_another_number_is_another_task() -> None:
    assert task_key("Issue 12") != task_key("Issue 13")
