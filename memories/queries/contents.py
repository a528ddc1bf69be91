"""What pages say of a space without looking at a text: how many memories, when it was used."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from memories.models import Activity, Memory, ReviewItem, State
from memories.queries.review import waiting_count
from spaces.isolation import in_each, inside
from spaces.models import Space
from spaces.queries import Contents


def contents(space: Space) -> Contents:
    """Count the memories of one space by the state that they are in now."""
    with inside(space):
        counted = Memory.objects.in_space(space).aggregate(**_states(timezone.now()))
        # Not `in_space`: an order makes no sense under an aggregate.
        newest = Activity.objects.filter(space=space).aggregate(at=Max("at"))
        waiting = waiting_count(space)
    return Contents(by_state=counted, last_activity_at=newest["at"], waiting=waiting)


def contents_of_many(space_ids: Sequence[UUID]) -> Mapping[UUID, Contents]:
    """Count the same of many spaces, each looked into on its own, in one round trip."""
    now = timezone.now()
    states = _states(now)

    def ask(space_id: UUID) -> Sequence[QuerySet[Any, Any]]:
        # By hand what an aggregate does: one row, or none where there is nothing.
        memories = Memory.objects.filter(space_id=space_id).values("space_id")
        lines = Activity.objects.filter(space_id=space_id).values("space_id")
        items = ReviewItem.objects.filter(space_id=space_id).waiting(now=now).values("space_id")
        return [
            memories.annotate(**states).values_list(*states),
            lines.annotate(last=Max("at")).values_list("last"),
            items.annotate(waiting=Count("pk")).values_list("waiting"),
        ]

    return {
        space_id: Contents(
            by_state=dict(zip(states, counted[0] if counted else [0] * len(states), strict=True)),
            last_activity_at=newest[0][0] if newest else None,
            waiting=waiting[0][0] if waiting else 0,
        )
        for space_id, (counted, newest, waiting) in in_each(space_ids, ask=ask).items()
    }


def _states(now: datetime) -> dict[str, Count]:
    has_passed = Q(state=State.ACTIVE, expires_at__lte=now)
    return {
        "active": Count("pk", filter=Q(state=State.ACTIVE) & ~has_passed),
        "expired": Count("pk", filter=has_passed),
        **{
            state.value: Count("pk", filter=Q(state=state))
            for state in (State.HELD, State.SUPERSEDED, State.FORGOTTEN)
        },
    }
