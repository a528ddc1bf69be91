"""How memories stand now, as a person chooses among them."""

from datetime import datetime

from django.db import models
from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from memories.models import State
from memories.models.memory import MemoryQuerySet


class Standing(models.TextChoices):
    """How a memory stands now: its state, or *expired* when its date has passed."""

    ACTIVE = "active", _("Holds now")
    EXPIRED = "expired", _("Expired")
    HELD = "held", _("Waiting for you")
    SUPERSEDED = "superseded", _("Superseded")
    FORGOTTEN = "forgotten", _("Forgotten")
    ERASED = "erased", _("Erased")
    ANY = "any", _("Everything")


def stands(standing: str, *, now: datetime) -> Q:
    """Return the condition under which a memory stands like this."""
    return {
        Standing.ACTIVE: Q(state=State.ACTIVE) & (Q(expires_at=None) | Q(expires_at__gt=now)),
        Standing.EXPIRED: Q(state=State.ACTIVE, expires_at__lte=now),
        Standing.HELD: Q(state=State.HELD),
        Standing.SUPERSEDED: Q(state=State.SUPERSEDED, erased_at=None),
        Standing.FORGOTTEN: Q(state=State.FORGOTTEN, erased_at=None),
        Standing.ERASED: Q(erased_at__isnull=False),
        Standing.ANY: Q(),
    }[Standing(standing)]


def counts_by_standing(memories: MemoryQuerySet, *, now: datetime) -> dict[str, int]:
    """Count the memories in each standing, in one pass."""
    counted: dict[str, int] = memories.aggregate(
        **{each.value: Count("pk", filter=stands(each, now=now) or None) for each in Standing}
    )
    return counted
