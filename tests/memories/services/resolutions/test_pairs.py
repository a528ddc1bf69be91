"""Two memories: keep one, keep both, merge, write anew."""

import pytest

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import (
    Activity,
    Answer,
    Kind,
    Memory,
    MemoryVersion,
    Question,
    ReviewItem,
    ReviewState,
    State,
    Verb,
)
from memories.services.asking import ask
from memories.services.forgetting import forget_memory
from memories.services.resolutions.cases import (
    AlreadySettledError,
    ChangedMeanwhileError,
    NotAnAnswerError,
)
from memories.services.resolutions.pairs import GoneError
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, save_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory
from tests.memories.services.resolutions.questions import (
    FRIDAY,
    TUESDAY,
    answered,
    lapse,
    now,
    pair,
)


def verbs(memory: Memory) -> list[str]:
    with inside(memory.space_id):
        return [line.verb for line in Activity.objects.filter(memory=memory).order_by("at", "pk")]


@pytest.mark.parametrize("answer", [Answer.KEPT_FIRST, Answer.KEPT_SECOND])
def test_the_one_that_is_kept_takes_the_place_of_the_other(space: Space, answer: Answer) -> None:
    item = pair(space)

    item = answered(item, answer)

    assert item.other is not None
    is_first = answer == Answer.KEPT_FIRST
    kept, lost = (item.memory, item.other) if is_first else (item.other, item.memory)
    assert (item.state, item.resolution) == (ReviewState.RESOLVED, answer)
    assert (kept.state, kept.confirmations) == (State.ACTIVE, 2)
    assert kept.person_confirmed_at is not None
    assert (lost.state, lost.superseded_by_id) == (State.SUPERSEDED, kept.pk)
    assert (verbs(kept)[-1], verbs(lost)[-1]) == (Verb.CONFIRMED, Verb.SUPERSEDED)


def test_what_lost_does_not_come_back_silently(space: Space, agent: Actor) -> None:
    answered(pair(space), Answer.KEPT_FIRST)

    draft = Draft(TUESDAY, "decision", "Project", source="Bruno", rationale="Habit")
    again = save_memory(space=space, actor=agent, draft=draft)

    assert again.outcome == "held"


def test_both_stay_as_they_are(space: Space) -> None:
    item = answered(pair(space), Answer.KEPT_BOTH)

    assert item.other is not None
    assert (item.memory.state, item.other.state) == (State.ACTIVE, State.ACTIVE)
    assert (item.memory.version, item.memory.confirmations) == (1, 1)
    assert verbs(item.memory)[-1] == verbs(item.other)[-1] == Verb.KEPT


@pytest.mark.parametrize(
    ("question", "answer"),
    [(Question.DISAGREEMENT, Answer.KEPT_BOTH), (Question.REPEATED, Answer.NOT_THE_SAME)],
)
@pytest.mark.parametrize("order", [1, -1])
def test_a_dismissed_pair_is_not_asked_about_again(
    space: Space, question: Question, answer: Answer, order: int
) -> None:
    item = answered(pair(space, question), answer)

    with inside(space):
        one, two = [item.memory, item.other][::order]
        assert one is not None
        is_new = ask(question, one, other=two)

    assert is_new is False
    with inside(space):
        assert not ReviewItem.objects.open().exists()


def test_a_dismissed_pair_is_asked_about_again_when_one_of_them_changes(
    space: Space, agent: Actor
) -> None:
    item = answered(pair(space), Answer.KEPT_BOTH)
    change = Revision(content="We deploy on Mondays at ten.")
    changed = revise_memory(
        space=space, actor=agent, memory_id=item.memory_id, revision=change
    ).memory

    with inside(space):
        assert ask(Question.DISAGREEMENT, changed, other=item.other) is True


def test_a_new_path_is_no_change_of_a_dismissed_pair(space: Space, agent: Actor) -> None:
    item = answered(pair(space), Answer.KEPT_BOTH)
    moved = revise_memory(
        space=space, actor=agent, memory_id=item.memory_id, revision=Revision(path="Project.Ops")
    ).memory

    with inside(space):
        assert ask(Question.DISAGREEMENT, moved, other=item.other) is False


def test_a_pair_has_no_order(space: Space) -> None:
    item = pair(space)

    with inside(space):
        assert item.other is not None
        is_new = ask(Question.DISAGREEMENT, item.other, other=item.memory)

    assert is_new is False


@pytest.mark.parametrize("answer", [Answer.MERGED, "merged_second"])
def test_merging_keeps_one_text_both_sources_and_both_histories(space: Space, answer: str) -> None:
    item = answered(pair(space, Question.REPEATED), answer)

    assert item.other is not None
    is_first = answer == Answer.MERGED
    kept, lost = (item.memory, item.other) if is_first else (item.other, item.memory)
    with inside(space):
        sources = {kept.source, *kept.more_sources.values_list("text", flat=True)}
        histories = MemoryVersion.objects.filter(memory__in=[kept, lost]).count()
    assert item.resolution == Answer.MERGED
    assert kept.content == (FRIDAY if is_first else TUESDAY)
    assert sources == {"Ana", "Bruno"}
    assert (kept.version, kept.confirmations, histories) == (1, 2, 2)
    assert (lost.state, lost.superseded_by_id) == (State.SUPERSEDED, kept.pk)
    assert lost.is_forgotten_by_person is False
    assert verbs(kept)[-1] == Verb.MERGED


def test_merging_observations_keeps_the_later_date(space: Space) -> None:
    item = pair(space, Question.REPEATED, kind="observation")
    with inside(space):
        assert item.other is not None
        Memory.objects.filter(pk=item.other.pk).update(expires_at="2099-01-01T00:00:00Z")

    item = answered(item, Answer.MERGED)

    assert item.memory.expires_at is not None
    assert item.memory.expires_at.year == 2099


def test_merging_a_decision_with_an_observation_leaves_it_without_a_date(space: Space) -> None:
    decision = make_memory(space, FRIDAY)
    observation = make_memory(space, TUESDAY, kind="observation")
    with inside(space):
        ask(Question.REPEATED, decision, other=observation)
        item = ReviewItem.objects.get()

    item = answered(item, Answer.MERGED)

    assert item.memory.expires_at is None


@pytest.mark.parametrize("question", [Question.DISAGREEMENT, Question.REPEATED])
def test_one_new_text_takes_the_place_of_both(space: Space, question: Question) -> None:
    text = "We deploy on Fridays at noon and on Tuesdays at ten."

    item = answered(pair(space, question), Answer.REWRITTEN, content=text)

    assert item.other is not None
    assert (item.memory.content, item.memory.version, item.memory.author) == (text, 2, "user")
    assert item.other.superseded_by_id == item.memory_id
    assert verbs(item.memory)[-2:] == [Verb.MERGED, Verb.REVISED]


def test_the_new_text_may_be_that_of_the_other_one(space: Space) -> None:
    item = answered(pair(space), Answer.REWRITTEN, content=TUESDAY)

    assert item.memory.content == TUESDAY


@pytest.mark.parametrize("text", ["", "  ", "short", "x" * 4001])
def test_a_text_that_cannot_be_is_refused_and_changes_nothing(space: Space, text: str) -> None:
    item = pair(space)

    with pytest.raises(DomainError):
        answered(item, Answer.REWRITTEN, content=text)

    item = now(item)
    assert item.other is not None
    assert (item.state, item.other.state) == (ReviewState.OPEN, State.ACTIVE)


def test_a_text_that_a_third_memory_states_is_refused_and_changes_nothing(space: Space) -> None:
    item = pair(space)
    third = make_memory(space, "We deploy whenever we like.")

    with pytest.raises(DomainError, match="already states exactly this"):
        answered(item, Answer.REWRITTEN, content=third.content)

    item = now(item)
    assert item.other is not None
    assert (item.memory.confirmations, item.other.state) == (1, State.ACTIVE)


def test_a_secret_in_the_new_text_is_replaced(space: Space) -> None:
    token = "ghp_" + "a1B2" * 9

    item = answered(pair(space), Answer.REWRITTEN, content=f"The token to deploy is {token} today.")

    assert token not in item.memory.content


def test_other_questions_about_what_was_retired_are_closed(space: Space) -> None:
    item = pair(space)
    with inside(space):
        assert item.other is not None
        ask(Question.REPEATED, item.memory, other=item.other)
        ask(Question.INSTRUCTION, item.other)
        ask(Question.INSTRUCTION, item.memory)

    answered(item, Answer.KEPT_FIRST)

    with inside(space):
        left = ReviewItem.objects.open().get()
        assert (left.question, left.memory_id) == (Question.INSTRUCTION, item.memory_id)
        assert ReviewItem.objects.filter(resolution="moot").count() == 2


def test_nothing_is_decided_about_a_pair_that_is_none_any_more(space: Space, agent: Actor) -> None:
    item = pair(space)
    forget_memory(space=space, actor=agent, memory_id=item.memory_id)

    for answer in (Answer.KEPT_FIRST, Answer.KEPT_BOTH, Answer.REWRITTEN):
        with pytest.raises(GoneError):
            answered(item, answer, content="We deploy on any day of the week.")


def test_a_pair_of_which_one_lapsed_is_none_any_more(space: Space) -> None:
    item = pair(space, Question.REPEATED, kind="observation")
    lapse(item.memory)

    with pytest.raises(GoneError):
        answered(item, Answer.MERGED)


def test_a_settled_question_is_not_settled_again(space: Space) -> None:
    item = answered(pair(space), Answer.KEPT_BOTH)

    with pytest.raises(AlreadySettledError):
        answered(item, Answer.KEPT_FIRST)


def test_an_answer_is_based_on_what_was_seen(space: Space, agent: Actor) -> None:
    item = pair(space)
    change = Revision(content="We deploy on Mondays at ten.")
    revise_memory(space=space, actor=agent, memory_id=item.memory_id, revision=change)

    with pytest.raises(ChangedMeanwhileError):
        answered(item, Answer.KEPT_FIRST, seen="1.1")
    item = answered(item, Answer.KEPT_FIRST, seen="2.1")

    assert item.state == ReviewState.RESOLVED


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (Question.DISAGREEMENT, Answer.MERGED),
        (Question.DISAGREEMENT, Answer.RENEWED),
        (Question.REPEATED, Answer.KEPT_FIRST),
        (Question.REPEATED, "whatever"),
    ],
)
def test_an_answer_to_another_question_is_refused(
    space: Space, question: Question, answer: str
) -> None:
    item = pair(space, question)

    with pytest.raises(NotAnAnswerError):
        answered(item, answer)

    assert now(item).state == ReviewState.OPEN


def test_kinds_are_kept(space: Space) -> None:
    item = answered(pair(space, Question.REPEATED, kind="preference"), Answer.MERGED)

    assert item.memory.kind == Kind.PREFERENCE
