"""Every answer can be taken back, for as long as nothing else has changed."""

from collections.abc import Callable

import pytest

from accounts.actors import Actor
from brain.lib.errors import NotAllowedError, NotFoundError
from memories.models import (
    Activity,
    Answer,
    Memory,
    MemorySource,
    Question,
    ReviewItem,
    ReviewState,
    State,
    Verb,
)
from memories.services.affirming import confirm_memory, erase_memory, erase_version
from memories.services.asking import ask
from memories.services.resolutions.undoing import NotUndoableError, undo_answer
from memories.services.reviewing import (
    LATER,
    MERGED_SECOND,
    MOST_AT_ONCE,
    answer_many,
    undo_decision,
)
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.services.resolutions.questions import (
    FRIDAY,
    TUESDAY,
    answered,
    changed,
    expired,
    forgotten_by_agent,
    instruction,
    now,
    pair,
    person_of,
    relearned,
    unsourced,
)


def repeated(space: Space) -> ReviewItem:
    return pair(space, Question.REPEATED)


def undone(item: ReviewItem) -> ReviewItem:
    space = Space.objects.get(pk=item.space_id)
    undo_answer(space=space, actor=person_of(space), item_id=item.pk)
    return now(item)


def standing(memory: Memory | None) -> tuple[object, ...]:
    """Return everything of a memory that an undo brings back."""
    assert memory is not None
    names = (
        "kind path content source rationale author client_key client_name agent_instance state "
        "state_at is_forgotten_by_person superseded_by_id confirmations confirmed_at "
        "person_confirmed_at expires_at"
    )
    return tuple(getattr(memory, name) for name in names.split())


NEW = {"content": "We deploy on Fridays and Tuesdays."}
EVERY: list[tuple[Callable[[Space], ReviewItem], str, dict[str, str]]] = [
    (pair, Answer.KEPT_FIRST, {}),
    (pair, Answer.KEPT_SECOND, {}),
    (pair, Answer.KEPT_BOTH, {}),
    (pair, Answer.REWRITTEN, NEW),
    (pair, Answer.REWRITTEN, {"content": TUESDAY}),
    (repeated, Answer.MERGED, {}),
    (repeated, MERGED_SECOND, {}),
    (repeated, Answer.NOT_THE_SAME, {}),
    (repeated, Answer.REWRITTEN, NEW),
    (expired, Answer.RENEWED, {}),
    (expired, Answer.MADE_PERMANENT, {}),
    (expired, Answer.LET_LAPSE, {}),
    (unsourced, Answer.CONFIRMED_AS_MINE, {}),
    (unsourced, Answer.SOURCED, {"source": "Ana"}),
    (unsourced, Answer.LET_GO, {}),
    (changed, Answer.ACCEPTED, {}),
    (changed, Answer.RESTORED, {}),
    (forgotten_by_agent, Answer.ACCEPTED, {}),
    (forgotten_by_agent, Answer.RESTORED, {}),
    (relearned, Answer.LET_IN, {}),
    (relearned, Answer.DECLINED, {}),
    (instruction, Answer.KEPT, {}),
    (instruction, Answer.LET_GO, {}),
    (pair, LATER, {}),
]


@pytest.mark.parametrize(("make", "answer", "words"), EVERY)
def test_every_answer_can_be_taken_back_and_given_again(
    space: Space, make: Callable[[Space], ReviewItem], answer: str, words: dict[str, str]
) -> None:
    item = now(make(space))
    before = standing(item.memory), standing(item.other) if item.other else None

    item = undone(answered(item, answer, **words))

    after = standing(item.memory), standing(item.other) if item.other else None
    assert after == before
    assert (item.state, item.resolution, item.undo) == (ReviewState.OPEN, "", {})
    assert (item.resolved_by, item.resolved_at, item.decision_id) == (None, None, None)
    with inside(space):
        newest = Activity.objects.in_space(space).first()
        assert newest is not None
        assert newest.verb == Verb.UNDONE
        assert not MemorySource.objects.exists()
    assert answered(item, answer, **words).state != ReviewState.OPEN


def test_a_text_comes_back_as_a_new_version(space: Space) -> None:
    item = undone(answered(pair(space), Answer.REWRITTEN, **NEW))

    assert (item.memory.content, item.memory.version, item.memory_version) == (FRIDAY, 3, 3)
    with inside(space):
        texts = list(item.memory.versions.order_by("number").values_list("content", flat=True))
    assert texts == [FRIDAY, NEW["content"], FRIDAY]


def test_a_taken_back_dismissal_is_no_dismissal(space: Space) -> None:
    item = undone(answered(pair(space), Answer.KEPT_BOTH))
    with inside(space):
        ReviewItem.objects.filter(pk=item.pk).delete()

        assert ask(Question.DISAGREEMENT, item.memory, other=item.other) is True


def test_what_an_answer_closed_is_opened_again(space: Space) -> None:
    item = pair(space)
    with inside(space):
        assert item.other is not None
        ask(Question.INSTRUCTION, item.other)

    undone(answered(item, Answer.KEPT_FIRST))

    with inside(space):
        assert ReviewItem.objects.open().count() == 2


def test_what_was_asked_anew_is_not_opened_twice(space: Space) -> None:
    item = pair(space)
    with inside(space):
        assert item.other is not None
        ask(Question.INSTRUCTION, item.other)
    answered(item, Answer.KEPT_FIRST)
    with inside(space):
        ask(Question.INSTRUCTION, item.other)

    undone(item)

    with inside(space):
        assert ReviewItem.objects.open().filter(question=Question.INSTRUCTION).count() == 1


# What cannot be taken back


def test_a_memory_that_moved_on_is_left_alone(space: Space, agent: Actor) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)
    change = Revision(content="We deploy on Mondays at ten.")
    revise_memory(space=space, actor=agent, memory_id=item.memory_id, revision=change)

    with pytest.raises(NotUndoableError, match="Something changed since"):
        undone(item)

    item = now(item)
    assert item.other is not None
    assert (item.state, item.other.state) == (ReviewState.RESOLVED, State.SUPERSEDED)


def test_saying_it_again_is_no_change_and_stays_counted(space: Space) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)
    make_memory(space, FRIDAY, source="Ana")

    item = undone(item)

    assert item.memory.confirmations == 2


def test_an_answer_is_taken_back_once(space: Space) -> None:
    item = undone(answered(pair(space), Answer.KEPT_FIRST))

    with pytest.raises(NotUndoableError, match="is open"):
        undone(item)


def test_what_was_settled_by_a_change_of_the_memory_is_not_undone_here(space: Space) -> None:
    item = changed(space)
    confirm_memory(space=space, actor=person_of(space), memory_id=item.memory_id)

    with pytest.raises(NotUndoableError, match="by a change of the memory itself"):
        undone(item)


@pytest.mark.parametrize("answer", [Answer.LET_GO, Answer.SOURCED])
def test_erased_text_does_not_come_back(space: Space, answer: Answer) -> None:
    item = answered(unsourced(space), answer, source="Ana")
    erase_memory(space=space, actor=person_of(space), memory_id=item.memory_id)

    with pytest.raises(NotUndoableError):
        undone(item)

    assert now(item).memory.content == ""


def test_an_erased_version_does_not_come_back(space: Space) -> None:
    item = answered(unsourced(space), Answer.SOURCED, source="Ana")
    erase_version(space=space, actor=person_of(space), memory_id=item.memory_id, number=1)

    with pytest.raises(NotUndoableError, match="was erased"):
        undone(item)

    assert now(item).memory.source == "Ana"


def test_a_fact_that_another_memory_states_by_now_does_not_come_back(space: Space) -> None:
    item = answered(pair(space, Question.REPEATED), Answer.MERGED)
    make_memory(space, TUESDAY)

    with pytest.raises(NotUndoableError, match="states the same by now"):
        undone(item)

    assert now(item).state == ReviewState.RESOLVED


def test_a_question_that_was_asked_anew_is_answered_there(space: Space) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)
    with inside(space):
        assert item.other is not None
        ask(Question.DISAGREEMENT, item.memory, other=item.other)

    with pytest.raises(NotUndoableError, match="asked again meanwhile"):
        undone(item)


def test_an_agent_takes_nothing_back(space: Space, agent: Actor) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)

    with pytest.raises(NotAllowedError):
        undo_answer(space=space, actor=agent, item_id=item.pk)


def test_no_text_lies_in_what_is_kept_for_the_undo(space: Space) -> None:
    item = answered(pair(space), Answer.REWRITTEN, **NEW)

    kept = str(item.undo)
    assert FRIDAY not in kept
    assert NEW["content"] not in kept


def test_a_question_of_another_space_is_not_undone(space: Space) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)
    other = make_space(owner=space.owner)

    with pytest.raises(NotFoundError):
        undo_answer(space=other, actor=person_of(space), item_id=item.pk)

    assert now(item).state == ReviewState.RESOLVED


# Many at once


def test_many_are_answered_and_taken_back_in_one_go(space: Space) -> None:
    person = person_of(space)
    items = [instruction(space), expired(space)]
    ids = [item.pk for item in items]

    done = answer_many(space=space, actor=person, item_ids=ids, answer=LATER)
    assert (done.count, len(done.refusals)) == (2, 0)
    back = undo_decision(space=space, actor=person, decision_id=done.decision_id)

    assert back.count == 2
    assert {now(item).state for item in items} == {ReviewState.OPEN}


def test_a_refusal_stops_no_other_answer(space: Space) -> None:
    person = person_of(space)
    good, bad = expired(space), instruction(space)

    done = answer_many(
        space=space, actor=person, item_ids=[bad.pk, good.pk, good.pk], answer=Answer.RENEWED
    )

    assert done.count == 1
    assert [error.code for error in done.refusals] == ["not_an_answer"]
    assert now(good).resolution == Answer.RENEWED


def test_what_cannot_be_undone_stops_nothing_else(space: Space) -> None:
    person = person_of(space)
    items = [expired(space), unsourced(space)]
    ids = [item.pk for item in items]
    done = answer_many(space=space, actor=person, item_ids=ids, answer=LATER)
    undone(items[0])

    with inside(space):
        ReviewItem.objects.filter(pk=items[0].pk).update(decision_id=done.decision_id)
    back = undo_decision(space=space, actor=person, decision_id=done.decision_id)

    assert (back.count, [error.code for error in back.refusals]) == (1, ["not_undoable"])


def test_two_answers_about_one_memory_are_taken_back_in_turn(space: Space) -> None:
    person = person_of(space)
    texts = [FRIDAY, TUESDAY, "We deploy on Mondays at ten."]
    first, second, third = [make_memory(space, text) for text in texts]
    with inside(space):
        ask(Question.REPEATED, first, other=second)
        ask(Question.REPEATED, first, other=third)
        ids = list(ReviewItem.objects.order_by("pk").values_list("pk", flat=True))

    done = answer_many(space=space, actor=person, item_ids=ids, answer=Answer.MERGED)
    back = undo_decision(space=space, actor=person, decision_id=done.decision_id)

    assert (done.count, back.count, back.refusals) == (2, 2, ())
    with inside(space):
        assert Memory.objects.active().count() == 3
        assert set(Memory.objects.values_list("confirmations", flat=True)) == {1}


def test_there_is_an_end_to_many(space: Space) -> None:
    item = expired(space)
    unknown = [item.memory_id] * 1 + [item.pk]

    done = answer_many(space=space, actor=person_of(space), item_ids=unknown, answer=Answer.RENEWED)

    assert (done.count, [error.code for error in done.refusals]) == (1, ["not_found"])
    assert MOST_AT_ONCE == 100


def test_a_decision_that_there_is_not_is_not_found(space: Space) -> None:
    with pytest.raises(NotFoundError):
        undo_decision(space=space, actor=person_of(space), decision_id=space.pk)
