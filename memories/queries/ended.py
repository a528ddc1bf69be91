"""What no longer holds, and for how long: what the retention of a space is about."""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from memories.models import Memory, State
from spaces.isolation import inside
from spaces.models import Space

ENDED = (State.FORGOTTEN, State.SUPERSEDED)


def ended_before(space: Space, moment: datetime) -> QuerySet[Memory]:
    """Return what was forgotten or replaced, or lapsed, before `moment`, and still has a text.

    What waits for the person's answer has not ended; evaluate it inside the space.
    """
    was_ended = Q(state__in=ENDED, state_at__lt=moment)
    has_lapsed = Q(state=State.ACTIVE, expires_at__lt=moment)
    return Memory.objects.in_space(space).filter(was_ended | has_lapsed, erased_at=None)


def count_ended(space: Space, days: int) -> int:
    """Return how many memories a retention of so many days would erase now."""
    with inside(space):
        return ended_before(space, timezone.now() - timedelta(days=days)).count()
