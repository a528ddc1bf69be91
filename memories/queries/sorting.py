"""The orders of the list, and the place in each where a page begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.db import models
from django.db.models import F, Q
from django.db.models.expressions import OrderBy
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from memories.models import Memory
from memories.models.memory import MemoryQuerySet


class Sort(models.TextChoices):
    """In which order the list comes; only a search by meaning has a best one."""

    BEST = "best", _("Best match")
    UPDATED = "updated", _("Last changed")
    CREATED = "created", _("First written")
    CONFIRMED = "confirmed", _("Last said")
    PATH = "path", _("Path")
    EXPIRES = "expires", _("Expires first")


@dataclass(frozen=True, slots=True)
class _Order:
    """The column that decides; memories without a value come last, in the order of their ids."""

    column: str
    is_newest_first: bool


_ORDERS: Mapping[str, _Order] = {
    Sort.UPDATED: _Order("updated_at", is_newest_first=True),
    Sort.CREATED: _Order("created_at", is_newest_first=True),
    Sort.CONFIRMED: _Order("confirmed_at", is_newest_first=True),
    Sort.PATH: _Order("path_key", is_newest_first=False),
    Sort.EXPIRES: _Order("expires_at", is_newest_first=False),
}


def in_order_of(memories: MemoryQuerySet, sort: str, *, after: str) -> MemoryQuerySet:
    """Order the memories, from the place that `after` names on; an unknown place is the start."""
    order = _ORDERS.get(sort, _ORDERS[Sort.UPDATED])
    memories = memories.order_by(_ordering(order), "id")
    place = _place(after, order)
    if place is None:
        return memories
    value, last = place
    if value is None:
        return memories.filter(**{f"{order.column}__isnull": True}, id__gt=last)
    beyond = "lt" if order.is_newest_first else "gt"
    is_beyond = Q(**{f"{order.column}__{beyond}": value})
    is_beside = Q(**{order.column: value}, id__gt=last)
    # The first condition is implied by the second, and lets the index begin at the place.
    from_here = Q(**{f"{order.column}__{beyond}e": value})
    if order.column == "expires_at":
        has_none = Q(expires_at=None)
        return memories.filter(from_here | has_none, is_beyond | is_beside | has_none)
    return memories.filter(from_here, is_beyond | is_beside)


def place_of(memory: Memory, sort: str) -> str:
    """Return the name of the place behind this memory, in this order."""
    value = getattr(memory, _ORDERS.get(sort, _ORDERS[Sort.UPDATED]).column)
    said = value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value or ""
    return f"{memory.pk}_{said}"


def _ordering(order: _Order) -> OrderBy:
    column = F(order.column)
    return column.desc() if order.is_newest_first else column.asc()


def _place(after: str, order: _Order) -> tuple[datetime | str | None, UUID] | None:
    memory_id, _, said = after.partition("_")
    try:
        last = UUID(memory_id)
        moment = parse_datetime(said) if order.column != "path_key" else None
    except ValueError:
        return None
    if order.column == "path_key":
        return said, last
    if moment is None:
        return (None, last) if order.column == "expires_at" and not said else None
    return (moment, last) if moment.tzinfo else None
