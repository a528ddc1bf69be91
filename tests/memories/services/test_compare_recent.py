"""What was said twice and what disagrees is put to the person, and nothing else."""

from collections import Counter
from threading import Thread

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.actors import Actor
from memories import tasks
from memories.models import Answer, Memory, MemoryLink, Question, Reason, ReviewItem
from memories.queries.alike import alike
from memories.services.affirming import restore_memory
from memories.services.comparing import LINKED, Compared, compare_recent, waits_for_comparison
from memories.services.forgetting import forget_memory
from memories.services.proposing import AT_MOST, LINKS, SERIES
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, Saved, save_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space
from tests.memories.meaning import embed_all
from tests.memories.services.resolutions.questions import COMMAND, answered, asked
from tests.races import at_once


def save(space: Space, content: str) -> Saved:
    draft = Draft(content, "decision", "Project", source="Ana", rationale="Asked")
    return save_memory(space=space, actor=agent_of(space), draft=draft)


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


def test_observations_that_differ_only_in_value_do_not_flood_the_inbox(
    space: Space, settings: Settings
) -> None:
    settings.EMBEDDER = "auto"
    for number in range(100):
        make_memory(space, f"Build {4121 + number} passed.", kind="observation")
    embed_all(space)

    while compare_recent(space).has_more:
        pass

    assert not waits_for_comparison(space)
    assert questions(space) == []


def test_a_series_of_rules_asks_about_its_first_few_only(space: Space) -> None:
    for number in range(40):
        make_memory(space, f"Invoice {4121 + number} was approved by Ana.")

    while compare_recent(space).has_more:
        pass

    assert not waits_for_comparison(space)
    assert 1 <= len(questions(space)) <= SERIES


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

    assert compared.asked <= AT_MOST
    assert compared.has_more


def test_a_memory_never_stands_in_more_than_a_few_open_questions(space: Space) -> None:
    for days in (10, 20, 30, 40, 50, 60):
        make_memory(space, f"Keep backups for {days} days.")

    compare_recent(space)

    with inside(space):
        items = ReviewItem.objects.in_space(space).open()
        standing = Counter(each for pair in items.values_list("memory", "other") for each in pair)
    assert max(standing.values()) <= AT_MOST


@pytest.mark.parametrize(
    "contents",
    [
        ("The session timeout of the shop is 30 minutes.", "The shop session times out: 60 min."),
        ("Deploy on Fridays after the tests.", "Never deploy on Fridays after the tests."),
        ("O prazo da entrega é de 10 dias.", "O prazo da entrega é de 15 dias."),
    ],
)
def test_what_the_answer_to_a_save_names_is_asked_about_exactly_once(
    space: Space, contents: tuple[str, str]
) -> None:
    first, second = (save(space, content) for content in contents)
    again = save(space, contents[1])

    named = [*second.near.disagrees_with, *again.near.disagrees_with]
    compare_recent(space)
    compare_recent(space)

    assert {memory.pk for memory in named} <= {first.memory.pk}
    expected = [(Question.DISAGREEMENT, set(contents))] if named else []
    assert questions(space) == expected
    assert again.outcome == "refreshed"


def test_what_the_person_lets_stand_is_not_named_again(space: Space) -> None:
    save(space, "Keep backups for 30 days.")
    save(space, "Keep backups for 90 days.")
    compare_recent(space)
    answered(asked(space, Question.DISAGREEMENT), Answer.KEPT_BOTH)

    again = save(space, "Keep backups for 90 days.")

    assert again.near.disagrees_with == []


def test_what_comes_back_is_compared_with_what_came_meanwhile(
    space: Space, person: Actor, agent: Actor
) -> None:
    first = make_memory(space, "Keep backups for 30 days.")
    compare_recent(space)
    forget_memory(space=space, actor=agent, memory_id=first.pk)
    make_memory(space, "Keep backups for 90 days.")
    compare_recent(space)
    assert questions(space) == []

    restore_memory(space=space, actor=person, memory_id=first.pk)
    compare_recent(space)

    assert [question for question, _ in questions(space)] == [Question.DISAGREEMENT]


def test_what_lies_at_the_same_path_is_compared_although_hardly_a_word_is_shared(
    space: Space,
) -> None:
    for number in range(12):
        make_memory(space, f"The nightly backup {number} of the shop is kept.", path="Other")
    make_memory(space, "Keep backups for 30 days.", path="Shop.Backups")
    memory = make_memory(space, "Nightly backup of the shop: keep 90 days.", path="Shop.Backups")

    with inside(space):
        near = alike(memory, model_key="", now=timezone.now())

    assert "Keep backups for 30 days." in [each.memory.content for each in near]


# Links


def links(space: Space, reason: Reason) -> set[tuple[str, str]]:
    with inside(space):
        found = MemoryLink.objects.in_space(space).filter(reason=reason)
        return {
            (link.first.content, link.second.content)
            for link in found.select_related("first", "second")
        }


REPORT = "The report must be delivered by the tenth of each month."
REPORT_TOO = "The monthly report is due on the tenth."
COFFEE = "Coffee is bought by the office manager."


def test_memories_of_similar_meaning_are_linked(space: Space, settings: Settings) -> None:
    settings.EMBEDDER = "auto"
    for number, content in enumerate((REPORT, REPORT_TOO, COFFEE)):
        make_memory(space, content, path=f"Place{number}", kind="observation")
    embed_all(space)

    compare_recent(space)

    assert {frozenset(pair) for pair in links(space, Reason.SIMILAR)} == {
        frozenset((REPORT, REPORT_TOO))
    }
    with inside(space):
        weights = list(MemoryLink.objects.filter(reason=Reason.SIMILAR).values_list("weight"))
    assert all(LINKED <= weight <= 1 for (weight,) in weights)


def test_another_text_takes_the_links_for_its_earlier_meaning_from_both_sides(
    space: Space, settings: Settings, agent: Actor
) -> None:
    settings.EMBEDDER = "auto"
    first = make_memory(space, REPORT, path="One", kind="observation")
    make_memory(space, REPORT_TOO, path="Two", kind="observation")
    embed_all(space)
    compare_recent(space)
    assert links(space, Reason.SIMILAR)

    change = Revision(content=COFFEE)
    revise_memory(space=space, actor=agent, memory_id=first.pk, revision=change)
    embed_all(space)
    compare_recent(space)

    assert links(space, Reason.SIMILAR) == set()


def test_a_memory_has_few_links_for_its_meaning(space: Space, settings: Settings) -> None:
    settings.EMBEDDER = "auto"
    for number in range(8):
        make_memory(space, f"Build {number} of the shop passed all tests.", kind="observation")
    embed_all(space)

    compare_recent(space)

    with inside(space):
        made = Counter(
            MemoryLink.objects.filter(reason=Reason.SIMILAR).values_list("first", flat=True)
        )
    assert made
    assert max(made.values()) <= LINKS


def test_a_path_that_was_named_before_it_was_there_is_linked(space: Space) -> None:
    naming = make_memory(space, "See [[shop / payments]] for the provider.", path="Notes")
    make_memory(space, "The payments page is not finished.", path="Notes.More")
    make_memory(space, "The provider of the cards is known.", path="Shop.Payments")

    compare_recent(space)

    assert links(space, Reason.MENTIONS) == {
        (naming.content, "The provider of the cards is known.")
    }


# Nobody waits


@pytest.mark.django_db(transaction=True)
def test_a_job_neither_waits_for_a_save_nor_does_its_work_by_halves(space: Space) -> None:
    first = make_memory(space, "Keep backups for 30 days.")
    make_memory(space, "Keep backups for 90 days.")
    compared: list[Compared] = []

    def compare_meanwhile() -> None:
        compared.append(compare_recent(space))
        connection.close()

    with inside(space):
        Memory.objects.select_for_update().get(pk=first.pk)
        thread = Thread(target=compare_meanwhile)
        thread.start()
        thread.join(timeout=30)
        assert not thread.is_alive()

    assert compared == [Compared(0, 0, has_more=False)]
    assert waits_for_comparison(space)
    assert questions(space) == []
    assert compare_recent(space).asked == 1
    assert not waits_for_comparison(space)


def test_the_sweep_queues_what_was_left_uncompared_and_nothing_else(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_memory(space, "Keep backups for 30 days.")
    done = make_space()
    make_memory(done)
    compare_recent(done)
    queued: list[str] = []
    monkeypatch.setattr(tasks.look_through, "delay", queued.append)

    tasks.compare_missing_everywhere()
    tasks.look_through(*queued)
    tasks.compare_missing_everywhere()

    assert queued == [str(space.pk)]
    assert not waits_for_comparison(space)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_one_space_ask_once(space: Space) -> None:
    make_memory(space, "Keep backups for 30 days.")
    make_memory(space, "Keep backups for 90 days.")

    outcomes = at_once(lambda: compare_recent(space), times=4)
    compare_recent(space)

    assert all(isinstance(outcome, Compared) for outcome in outcomes)
    assert [question for question, _ in questions(space)] == [Question.DISAGREEMENT]
    assert not waits_for_comparison(space)


def test_a_worker_that_dies_before_the_commit_leaves_nothing_and_the_next_does_it_all(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_memory(space, "Keep backups for 30 days.")
    make_memory(space, "Keep backups for 90 days.")

    class KilledError(Exception):
        pass

    def die(*_: object) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr("memories.services.proposing.link_mention", die)
        with pytest.raises(KilledError):
            compare_recent(space)
    assert questions(space) == []
    assert waits_for_comparison(space)

    compare_recent(space)

    assert [question for question, _ in questions(space)] == [Question.DISAGREEMENT]


def test_a_command_of_a_tool_is_noticed_when_it_is_compared(space: Space) -> None:
    make_memory(space, COMMAND, kind="observation", author="tool", rationale="")

    compared = compare_recent(space)

    assert compared.asked == 1
    assert [question for question, _ in questions(space)] == [Question.INSTRUCTION]


@pytest.mark.parametrize("space_id", ["9b2f6a0e-6f2c-4f0e-8f43-1f5f6ad1c001"])
def test_the_job_of_a_space_that_is_gone_does_nothing(db: None, space_id: str) -> None:
    tasks.look_through(space_id)
