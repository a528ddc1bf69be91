"""What of a space is worth a look: what nobody read, what grows old, what ends soon."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memories.models import State
from memories.models.memory import MemoryQuerySet
from memories.queries.recalls import never_read
from spaces.models import Space

STALE_AFTER = timedelta(days=180)
ENDS_WITHIN = timedelta(days=7)


class Concern(models.TextChoices):
    NEVER_READ = "never_read", _("Never read")
    STALE = "stale", _("Not confirmed for half a year")
    ENDING = "ending", _("Ends within a week")


def of_concern(
    memories: MemoryQuerySet, concern: str, *, space: Space, now: datetime
) -> MemoryQuerySet:
    """Keep what gives this reason to look at it; call it inside the space."""
    if concern == Concern.NEVER_READ:
        return memories.filter(pk__in=never_read(space, now=now).values("pk"))
    return memories.filter(is_of_concern(concern, now=now))


def is_of_concern(concern: str, *, now: datetime) -> Q:
    """Return the condition of a concern that a memory shows by itself."""
    holds = Q(state=State.ACTIVE) & (Q(expires_at=None) | Q(expires_at__gt=now))
    if concern == Concern.STALE:
        return holds & Q(confirmed_at__lt=now - STALE_AFTER, updated_at__lt=now - STALE_AFTER)
    return holds & Q(expires_at__lte=now + ENDS_WITHIN)
