"""What was said twice and what disagrees is put to the person, and nothing else."""

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from memories import tasks
from memories.models import Question, ReviewItem
from memories.services.comparing import compare_recent, waits_for_comparison
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space
from tests.memories.meaning import embed_all


def questions(space: Space) -> list[tuple[str, set[str]]]:
    with inside(space):
        items = ReviewItem.objects.in_space(space).open().select_related("memory", "other")
        return [
            (item.question, {item.memory.content, item.other.content if item.other else ""})
            for item in items
        ]


def test_two_rules_that_disagree_become_one_question(space: Space) -> None:
    make_memory(space, "Keep backups for 30 days.")
    make_memory(space, "Keep backups for 90 days.")

    compared = compare_recent(space)
    again = compare_recent(space)

    assert (compared.memories, compared.asked) == (2, 1)
    assert (again.memories, again.asked) == (0, 0)
    assert questions(space) == [
        (Question.DISAGREEMENT, {"Keep backups for 30 days.", "Keep backups for 90 days."})
    ]


def test_observations_that_differ_only_in_value_do_not_flood_the_inbox(space: Space) -> None:
    for number in range(20):
        make_memory(space, f"Build {4121 + number} passed.", kind="observation")

    compare_recent(space)

    assert questions(space) == []


def test_a_repeat_in_other_words_is_proposed_when_meaning_is_on(
    space: Space, settings: Settings
) -> None:
    settings.EMBEDDER = "auto"
    make_memory(space, "The report must be delivered by the tenth of each month.")
    make_memory(space, "The report has to be delivered by the 10th of every month.")
    embed_all(space)

    compare_recent(space)

    assert [question for question, _ in questions(space)] == [Question.REPEATED]


def test_without_its_vector_a_memory_waits_while_there_is_a_model(
    space: Space, settings: Settings
) -> None:
    settings.EMBEDDER = "auto"
    make_memory(space)

    assert compare_recent(space).memories == 0
    assert waits_for_comparison(space)
    embed_all(space)
    assert compare_recent(space).memories == 1
    assert not waits_for_comparison(space)


def test_a_disagreement_that_was_mended_is_taken_back(space: Space) -> None:
    old = make_memory(space, "Keep backups for 30 days.")
    make_memory(space, "Keep backups for 90 days.")
    compare_recent(space)

    revise_memory(
        space=space,
        actor=agent_of(space),
        memory_id=old.pk,
        revision=Revision(content="Coffee is bought by the office manager."),
    )
    compare_recent(space)
    tasks.look_through(str(space.pk))

    assert questions(space) == []


def test_another_space_is_never_compared_with(space: Space) -> None:

    make_memory(make_space(), "Keep backups for 30 days.")
    make_memory(space, "Keep backups for 90 days.")

    compare_recent(space)

    assert questions(space) == []


def test_only_a_few_questions_come_from_one_memory(space: Space) -> None:
    for days in (10, 20, 30, 40, 50, 60):
        make_memory(space, f"Keep backups for {days} days.")

    with transaction.atomic():
        compared = compare_recent(space, at_most=1)

    assert compared.asked <= 3
    assert compared.has_more


@pytest.mark.parametrize("space_id", ["9b2f6a0e-6f2c-4f0e-8f43-1f5f6ad1c001"])
def test_the_job_of_a_space_that_is_gone_does_nothing(db: None, space_id: str) -> None:
    tasks.look_through(space_id)
