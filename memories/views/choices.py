"""Which answers the page offers to each question, with the key that gives each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memories.models import Answer, Kind, Question, ReviewItem
from memories.services.reviewing import LATER, MERGED_SECOND


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that needs no words; `many` says whether it can be given to several at once."""

    answer: str
    label: str | Promise
    key: str
    icon: str
    many: bool = True


_LATER = Choice(LATER, _("Later"), "l", "clock")
_CHOICES: dict[str, list[Choice]] = {
    Question.DISAGREEMENT: [
        Choice(Answer.KEPT_FIRST, _("Keep the older"), "1", "check", many=False),
        Choice(Answer.KEPT_SECOND, _("Keep the newer"), "2", "check", many=False),
        Choice(Answer.KEPT_BOTH, _("Both hold"), "b", "confirm"),
    ],
    Question.REPEATED: [
        Choice(Answer.MERGED, _("Merge, as the older says it"), "1", "link"),
        Choice(MERGED_SECOND, _("Merge, as the newer says it"), "2", "link"),
        Choice(Answer.NOT_THE_SAME, _("Not the same"), "n", "close"),
    ],
    Question.EXPIRED: [
        Choice(Answer.RENEWED, _("It still holds"), "r", "restore"),
        Choice(Answer.MADE_PERMANENT, _("Make it a decision"), "p", "decision"),
        Choice(Answer.LET_LAPSE, _("Let it lapse"), "g", "close"),
    ],
    Question.UNSOURCED: [
        Choice(Answer.CONFIRMED_AS_MINE, _("Yes, as my own"), "c", "user"),
        Choice(Answer.LET_GO, _("Let it go"), "g", "forget"),
    ],
    Question.CHANGED_BY_AGENT: [
        Choice(Answer.ACCEPTED, _("Accept the change"), "a", "check"),
        Choice(Answer.RESTORED, _("Restore mine"), "r", "restore"),
    ],
    Question.RELEARNED: [
        Choice(Answer.LET_IN, _("Let it hold"), "a", "check"),
        Choice(Answer.DECLINED, _("Forget it again"), "g", "forget"),
    ],
    Question.INSTRUCTION: [
        Choice(Answer.KEPT, _("It is harmless"), "a", "check"),
        Choice(Answer.LET_GO, _("Let it go"), "g", "forget"),
    ],
}
_OF_A_FORGOTTEN_ONE = [
    Choice(Answer.ACCEPTED, _("Leave it forgotten"), "a", "forget"),
    Choice(Answer.RESTORED, _("Restore it"), "r", "restore"),
]


def choices_for(item: ReviewItem) -> Sequence[Choice]:
    """Return the answers to this question that need no words."""
    offered = _CHOICES[item.question]
    if item.evidence.get("change") == "forgotten":
        offered = _OF_A_FORGOTTEN_ONE
    if item.memory.kind == Kind.CHECKPOINT:
        offered = [each for each in offered if each.answer != Answer.MADE_PERMANENT]
    return [*offered, _LATER]


def choices_for_many(queue: str) -> Sequence[Choice]:
    """Return the answers that make sense for several questions of a queue at once."""
    return [*(each for each in _CHOICES.get(queue, []) if each.many), _LATER]
