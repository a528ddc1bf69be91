"""The inbox: what waits in which queue, and one question with its evidence."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.actors import Actor
from memories.models import Answer, Memory, Question, ReviewItem
from memories.queries.review import (
    LATER,
    ORDER,
    PAGE,
    SETTLED,
    Inbox,
    decision,
    inbox,
    waiting_count,
)
from memories.services.asking import ask
from memories.services.forgetting import forget_memory
from memories.services.noticing import notice_expired
from memories.services.reviewing import answer_many
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
    lapse,
    now,
    pair,
    person_of,
    relearned,
    unsourced,
)

MANY = 20


def counts(found: Inbox) -> dict[str, int]:
    return {queue.key: queue.count for queue in found.queues if queue.count}


def lapsed(space: Space, number: int) -> None:
    for each in range(number):
        lapse(make_memory(space, f"Build {each} passed on main.", kind="observation"))
    notice_expired(space)


def test_a_new_space_has_nothing_to_ask(space: Space) -> None:
    found = inbox(space)

    assert (found.is_new, found.waiting, found.current, list(found.rows)) == (True, 0, None, [])


def test_every_queue_has_its_number(space: Space) -> None:
    pair(space)
    expired(space)
    unsourced(space)
    answered(instruction(space), LATER)

    found = inbox(space)

    one = {Question.DISAGREEMENT: 1, Question.EXPIRED: 1, Question.UNSOURCED: 1, LATER: 1}
    assert counts(found) == {"": 3, **one}
    assert (found.waiting, found.later, found.settled, found.is_new) == (3, 1, 0, False)
    assert waiting_count(space) == 3


def test_what_somebody_did_comes_before_what_only_lapsed(space: Space) -> None:
    expired(space)
    unsourced(space)
    forgotten_by_agent(space)
    instruction(space)

    asked = [item.question for item in inbox(space).rows]

    assert asked == [
        Question.INSTRUCTION,
        Question.CHANGED_BY_AGENT,
        Question.UNSOURCED,
        Question.EXPIRED,
    ]
    assert set(ORDER) == set(Question)


def test_one_queue_shows_its_own_oldest_first(space: Space) -> None:
    unsourced(space)
    lapsed(space, 3)

    found = inbox(space, queue=Question.EXPIRED)

    assert [item.question for item in found.rows] == [Question.EXPIRED] * 3
    assert found.current is not None
    assert found.current.item == found.rows[0]
    assert (found.total, found.more, found.before) == (3, 0, None)
    assert found.after == found.rows[1].pk


def test_the_question_that_was_asked_for_is_put(space: Space) -> None:
    lapsed(space, 3)
    rows = inbox(space).rows

    found = inbox(space, item_id=rows[1].pk)

    assert found.current is not None
    assert found.current.item == rows[1]
    assert (found.before, found.after) == (rows[0].pk, rows[2].pk)


def test_one_that_is_no_longer_open_gives_way_to_the_first(space: Space) -> None:
    lapsed(space, 2)
    rows = inbox(space).rows
    answered(rows[1], Answer.RENEWED)

    found = inbox(space, item_id=rows[1].pk)

    assert found.current is not None
    assert found.current.item == rows[0]


def test_one_beyond_the_first_page_is_put_too(space: Space) -> None:
    lapsed(space, PAGE + 2)
    with inside(space):
        last = ReviewItem.objects.order_by("created_at", "pk").last()
    assert last is not None

    found = inbox(space, item_id=last.pk)

    assert found.current is not None
    assert found.current.item == last
    assert (len(found.rows), found.more, found.before, found.after) == (PAGE, 2, None, None)


def test_an_unknown_queue_is_everything(space: Space) -> None:
    unsourced(space)

    assert inbox(space, queue="whatever").open == ""


def test_a_pair_stands_side_by_side_with_what_differs(space: Space) -> None:
    first, second = make_memory(space, FRIDAY), make_memory(space, TUESDAY)
    with inside(space):
        ask(Question.DISAGREEMENT, second, other=first, evidence={"reasons": ["date", "unknown"]})

    current = inbox(space).current

    assert current is not None
    assert [side.memory for side in current.sides] == [first, second]
    marked = [[piece.text for piece in side.pieces if piece.differs] for side in current.sides]
    assert marked == [["Fridays", "noon"], ["Tuesdays", "ten"]]
    assert (current.reasons, current.seen, current.has_changed) == (["a date"], "1.1", False)


def test_reasons_may_be_codes_or_have_one(space: Space) -> None:
    item = pair(space)
    reasons = [{"code": "number", "first": "5", "second": "7"}, "number", {"other": 1}, 7]
    with inside(space):
        ReviewItem.objects.filter(pk=item.pk).update(evidence={"reasons": reasons})

    current = inbox(space).current

    assert current is not None
    assert current.reasons == ["a number"]


def test_a_changed_text_stands_beside_the_persons_own(space: Space) -> None:
    changed(space)

    current = inbox(space).current

    assert current is not None
    assert [side.text.content for side in current.sides] == [FRIDAY, TUESDAY]


@pytest.mark.parametrize("make", [forgotten_by_agent, relearned, expired, unsourced, instruction])
def test_other_questions_have_one_text(space: Space, make: object) -> None:
    assert callable(make)
    make(space)

    current = inbox(space).current

    assert current is not None
    assert [side.label for side in current.sides] == [""]


def test_what_was_learned_again_says_since_when_it_was_forgotten(space: Space) -> None:
    relearned(space)

    current = inbox(space).current

    assert current is not None
    assert current.since is not None
    assert timezone.now() - current.since < timedelta(minutes=5)


def test_a_text_that_changed_since_is_said_to_have(space: Space, agent: Actor) -> None:
    item = pair(space)
    change = Revision(content="We deploy on Mondays at ten.")
    revise_memory(space=space, actor=agent, memory_id=item.memory_id, revision=change)

    current = inbox(space).current

    assert current is not None
    assert (current.has_changed, current.seen) == (True, "2.1")


def test_a_pair_that_is_none_any_more_is_not_shown(space: Space, agent: Actor) -> None:
    item = pair(space)
    forget_memory(space=space, actor=agent, memory_id=item.memory_id)

    assert (inbox(space).waiting, waiting_count(space)) == (0, 0)


def test_a_pair_of_which_one_lapsed_is_not_shown(space: Space) -> None:
    item = pair(space, Question.REPEATED, kind="observation")
    lapse(item.memory)

    assert waiting_count(space) == 0


def test_what_was_put_off_waits_in_its_own_queue_until_it_is_due(space: Space) -> None:
    item = answered(unsourced(space), LATER)

    later = inbox(space, queue=LATER)
    assert [row.pk for row in later.rows] == [item.pk]
    assert (later.current, inbox(space).waiting) == (None, 0)
    assert item.snoozed_until is not None
    with time_machine.travel(item.snoozed_until + timedelta(seconds=1), tick=False):
        assert (inbox(space).waiting, inbox(space).later) == (1, 0)


def test_what_was_settled_can_be_looked_back_on_for_a_month(space: Space) -> None:
    first = answered(unsourced(space), Answer.CONFIRMED_AS_MINE)
    second = answered(pair(space), Answer.KEPT_BOTH)

    settled = inbox(space, queue=SETTLED)

    assert [row.pk for row in settled.rows] == [second.pk, first.pk]
    assert (settled.settled, settled.current) == (2, None)
    with time_machine.travel(timezone.now() + timedelta(days=31), tick=False):
        assert inbox(space, queue=SETTLED).settled == 0


def test_what_answered_itself_was_not_settled_by_anybody(space: Space) -> None:
    item = pair(space)
    with inside(space):
        assert item.other is not None
        ask(Question.INSTRUCTION, item.other)
    answered(item, Answer.KEPT_FIRST)

    assert inbox(space).settled == 1


def test_what_was_answered_in_one_go_is_found(space: Space) -> None:
    ids = [unsourced(space).pk, expired(space).pk]
    done = answer_many(space=space, actor=person_of(space), item_ids=ids, answer=LATER)

    found = decision(space, done.decision_id)

    assert found is not None
    assert (found.count, found.only) == (2, None)
    assert decision(space, space.pk) is None


def test_a_single_answer_says_what_it_was(space: Space) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)
    assert item.decision_id is not None

    found = decision(space, item.decision_id)

    assert found is not None
    assert found.only is not None
    assert found.only.decided == "You kept the older one"
    assert now(item).decided == "You kept the older one"


def test_nothing_of_another_space_is_shown(space: Space) -> None:
    pair(make_space(owner=space.owner))

    assert inbox(space).is_new


@pytest.mark.parametrize("queue", ["", Question.EXPIRED, LATER, SETTLED])
def test_the_number_of_questions_costs_no_queries(
    space: Space, queue: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    lapsed(space, 1)
    queries = 7
    with django_assert_num_queries(queries):
        inbox(space, queue=queue)
    lapsed(space, MANY)
    with inside(space):
        assert Memory.objects.count() == MANY

    with django_assert_num_queries(queries):
        inbox(space, queue=queue)
