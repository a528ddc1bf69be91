"""Two browsers, and an agent meanwhile: one answer counts, and nobody waits for ever."""

from collections import Counter
from functools import partial

import pytest

from brain.lib.errors import DomainError
from memories.models import Activity, Answer, Memory, Question, ReviewItem, State, Verb
from memories.services.asking import ask
from memories.services.resolutions.cases import Reply
from memories.services.resolutions.undoing import undo_answer
from memories.services.reviewing import give_answer
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory
from tests.memories.services.resolutions.questions import answered, now, pair, person_of
from tests.races import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def code(outcome: object) -> object:
    return outcome.code if isinstance(outcome, DomainError) else outcome


def test_of_many_answers_to_one_question_one_is_carried_out(space: Space) -> None:
    item = pair(space)
    answers = [Answer.KEPT_FIRST, Answer.KEPT_SECOND] * 5

    def give(answer: Answer) -> str:
        give_answer(Reply(space, person_of(space), item.pk), answer)
        return "done"

    outcomes = all_at_once([partial(give, answer) for answer in answers])

    assert Counter(map(code, outcomes)) == {"done": 1, "already_settled": 9}
    with inside(space):
        assert Memory.objects.active().count() == 1
        assert Activity.objects.filter(verb=Verb.SUPERSEDED).count() == 1


def test_of_many_undos_of_one_answer_one_is_carried_out(space: Space) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)

    def undo() -> str:
        undo_answer(space=space, actor=person_of(space), item_id=item.pk)
        return "done"

    outcomes = all_at_once([undo] * 8)

    assert Counter(map(code, outcomes)) == {"done": 1, "not_undoable": 7}
    with inside(space):
        assert Memory.objects.active().count() == 2


def test_pairs_that_share_a_memory_are_settled_at_once_without_a_deadlock(space: Space) -> None:
    memories = [make_memory(space, f"We deploy on day {number} at noon.") for number in range(4)]
    with inside(space):
        for first in memories:
            for second in memories:
                if first.pk < second.pk:
                    ask(Question.REPEATED, first, other=second)
        ids = list(ReviewItem.objects.values_list("pk", flat=True))

    def merge(item_id: object) -> str:
        assert isinstance(item_id, type(ids[0]))
        give_answer(Reply(space, person_of(space), item_id), Answer.MERGED)
        return "done"

    outcomes = Counter(map(code, all_at_once([partial(merge, item_id) for item_id in ids])))

    assert outcomes["done"] == 3
    assert outcomes["done"] + outcomes["already_settled"] + outcomes["no_longer_a_pair"] == 6
    with inside(space):
        assert Memory.objects.active().count() == 1
        assert Memory.objects.get(state=State.ACTIVE).confirmations == 4


def test_an_agent_that_revises_meanwhile_loses_nothing(space: Space) -> None:
    item = pair(space)

    def revise() -> str:
        change = Revision(content="We deploy on Mondays at ten.")
        return revise_memory(
            space=space, actor=agent_of(space), memory_id=item.memory_id, revision=change
        ).outcome

    def answer() -> str:
        give_answer(Reply(space, person_of(space), item.pk, seen="1.1"), Answer.KEPT_SECOND)
        return "done"

    outcomes = [code(outcome) for outcome in all_at_once([revise, answer])]

    assert outcomes in (["revised", "changed_meanwhile"], ["not_revisable", "done"])
    is_done = outcomes[1] == "done"
    assert (now(item).memory.state == State.SUPERSEDED) is is_done


def test_the_same_is_asked_once_by_many_jobs(space: Space) -> None:
    first, second = (
        make_memory(space, "We deploy on Fridays."),
        make_memory(space, "We never do it."),
    )

    def notice() -> bool:
        with inside(space):
            return ask(Question.DISAGREEMENT, second, other=first)

    outcomes = all_at_once([notice] * 8)

    assert Counter(outcomes) == {True: 1, False: 7}
