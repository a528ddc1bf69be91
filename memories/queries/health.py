"""How a space is doing, in figures that each lead to what they count."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, F, Q
from django.utils import timezone

from memories.models import Memory, ReviewItem, State
from memories.queries.concerns import Concern, is_of_concern
from memories.queries.meaning import found_by_meaning
from memories.queries.recalls import count_never_read
from memories.queries.standings import Standing, stands
from spaces.isolation import inside
from spaces.models import Space
from spaces.queries import FoundByMeaning

# How a text shows that a secret was taken out of it before it was stored.
MARKER = "[redacted: "


@dataclass(frozen=True, slots=True)
class Health:
    """`questions` counts what waits for an answer by its question, `concerns` what to look at.

    `redacted` are memories of which a secret was taken out, `to_compare` those that no job has
    compared with the others yet.
    """

    holding: int
    redacted: int
    to_compare: int
    questions: Mapping[str, int]
    concerns: Mapping[str, int]
    meaning: FoundByMeaning

    @property
    def waiting(self) -> int:
        return sum(self.questions.values())


def health(space: Space) -> Health:
    """Return the figures of a space, in a constant number of queries."""
    now = timezone.now()
    shown = [concern for concern in Concern if concern != Concern.NEVER_READ]
    is_compared = Q(compared_version=F("version"))
    with inside(space):
        counted = Memory.objects.in_space(space).aggregate(
            holding=Count("pk", filter=stands(Standing.ACTIVE, now=now)),
            redacted=Count("pk", filter=Q(content__contains=MARKER)),
            to_compare=Count("pk", filter=Q(state=State.ACTIVE) & ~is_compared),
            **{each.value: Count("pk", filter=is_of_concern(each, now=now)) for each in shown},
        )
        waiting = ReviewItem.objects.in_space(space).waiting(now=now)
        questions = dict(waiting.values_list("question").annotate(count=Count("pk")).order_by())
        never = count_never_read(space, now=now)
    return Health(
        holding=counted["holding"],
        redacted=counted["redacted"],
        to_compare=counted["to_compare"],
        questions=questions,
        concerns={each.value: counted[each.value] for each in shown} | {Concern.NEVER_READ: never},
        meaning=found_by_meaning(space),
    )
