"""Answer questions of the review, one or many, and undo what was answered in one go."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotFoundError
from brain.lib.ids import new_id
from memories.models import Answer, ReviewItem
from memories.services.resolutions import pairs, single
from memories.services.resolutions.cases import NotAnAnswerError, Reply
from memories.services.resolutions.later import snooze
from memories.services.resolutions.undoing import undo_answer
from spaces.isolation import inside
from spaces.models import Space

LATER = "later"
MERGED_SECOND = "merged_second"
# As many as one page shows, and some more.
MOST_AT_ONCE = 100

_SERVICES: Mapping[str, Callable[[Reply], None]] = {
    Answer.KEPT_FIRST: partial(pairs.keep_one, answer=Answer.KEPT_FIRST),
    Answer.KEPT_SECOND: partial(pairs.keep_one, answer=Answer.KEPT_SECOND),
    Answer.KEPT_BOTH: partial(pairs.keep_both, answer=Answer.KEPT_BOTH),
    Answer.NOT_THE_SAME: partial(pairs.keep_both, answer=Answer.NOT_THE_SAME),
    Answer.MERGED: pairs.merge,
    MERGED_SECOND: partial(pairs.merge, keep_second=True),
    Answer.RENEWED: single.renew,
    Answer.MADE_PERMANENT: single.make_permanent,
    Answer.LET_LAPSE: single.let_lapse,
    Answer.CONFIRMED_AS_MINE: single.confirm_as_mine,
    Answer.LET_GO: single.let_go,
    Answer.ACCEPTED: single.accept,
    Answer.RESTORED: single.restore,
    Answer.LET_IN: single.let_in,
    Answer.DECLINED: single.decline,
    Answer.KEPT: single.keep,
    LATER: snooze,
}


@dataclass(frozen=True, slots=True)
class Wording:
    """What the person wrote with an answer that needs words."""

    content: str = ""
    source: str = ""
    rationale: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """How many answers were carried out in one go, and why the others were not."""

    decision_id: UUID
    count: int = 0
    refusals: Sequence[DomainError] = field(default_factory=tuple)


def give_answer(reply: Reply, answer: str, *, wording: Wording | None = None) -> None:
    """Carry one answer out; a refusal is raised, and changes nothing."""
    words = wording or Wording()
    if answer == Answer.REWRITTEN:
        pairs.rewrite(reply, content=words.content)
    elif answer == Answer.SOURCED:
        single.add_source(reply, source=words.source, rationale=words.rationale)
    elif answer in _SERVICES:
        _SERVICES[answer](reply)
    else:
        raise NotAnAnswerError("This answer is not known.")


def answer_many(*, space: Space, actor: Actor, item_ids: Sequence[UUID], answer: str) -> Done:
    """Give the same answer to each question, one transaction each; a refusal stops no other."""
    decision_id = new_id()
    count, refusals = 0, []
    for item_id in list(dict.fromkeys(item_ids))[:MOST_AT_ONCE]:
        try:
            give_answer(Reply(space, actor, item_id, decision_id=decision_id), answer)
        except DomainError as error:
            refusals.append(error)
        else:
            count += 1
    return Done(decision_id, count, tuple(refusals))


def undo_decision(*, space: Space, actor: Actor, decision_id: UUID) -> Done:
    """Take back everything that was answered in one go, the last first."""
    with inside(space):
        items = ReviewItem.objects.filter(space=space, decision_id=decision_id)
        ids = list(items.order_by("-updated_at", "-pk").values_list("pk", flat=True))
    if not ids:
        raise NotFoundError("There is nothing to undo.", hint="Look at what was settled.")
    count, refusals = 0, []
    for item_id in ids:
        try:
            undo_answer(space=space, actor=actor, item_id=item_id)
        except DomainError as error:
            refusals.append(error)
        else:
            count += 1
    return Done(decision_id, count, tuple(refusals))
