"""Erase for good what ended long ago, where the person chose that in the space's settings."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from accounts.actors import Actor
from memories.queries.ended import ended_before
from memories.services.affirming import erase_locked
from spaces.isolation import inside
from spaces.models import Space

BATCH = 50


@dataclass(frozen=True, slots=True)
class Applied:
    """How many memories were erased, and whether there are more."""

    erased: int
    has_more: bool


def apply_retention(space: Space, *, at_most: int = BATCH) -> Applied:
    """Erase up to `at_most` memories that ended longer ago than the person wants to keep them.

    Each in a transaction of its own with its line in the activity log, as if the person had
    erased it by hand. What was restored or renewed meanwhile is left alone.
    """
    # The person may have changed their mind since the job began, or deleted the space.
    days = Space.objects.filter(pk=space.pk).values_list("retention_days", flat=True).first()
    if days is None:
        return Applied(0, has_more=False)
    now = timezone.now()
    moment = now - timedelta(days=days)
    with inside(space):
        ended = ended_before(space, moment).order_by("state_at", "pk")
        ids = list(ended.values_list("pk", flat=True)[: at_most + 1])
    erased = sum(_erase(space, memory_id, moment=moment, now=now) for memory_id in ids[:at_most])
    return Applied(erased, has_more=len(ids) > at_most)


def _erase(space: Space, memory_id: UUID, *, moment: datetime, now: datetime) -> bool:
    with inside(space):
        # Whoever holds it now may be restoring it: PostgreSQL asks again once the lock is ours.
        ended = ended_before(space, moment).select_for_update()
        memory = ended.filter(pk=memory_id).first()
        if memory is None:
            return False
        erase_locked(memory, Actor(space.owner, "job"), now=now)
    return True
