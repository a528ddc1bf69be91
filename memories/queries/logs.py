"""Logs of a space: lines about memories, newest first, read on from a place."""

from datetime import datetime
from typing import TypeVar

from django.db.models import Q, QuerySet
from django.db.models.functions import Left

from memories.models import Activity, Recall
from memories.queries.search import as_id

PREVIEW = 140
Line = TypeVar("Line", Activity, Recall)


def place_of(line: Activity | Recall) -> str:
    """Return the name of the place behind the line, for an address."""
    return f"{line.at.isoformat()}_{line.pk}"


def with_previews(lines: QuerySet[Line]) -> QuerySet[Line]:
    """Bring the beginning of each memory's text; a list shows no more, and an export none."""
    shown = lines.annotate(preview=Left("memory__content", PREVIEW))
    return shown.defer("memory__content", "memory__words", "memory__checkpoint")


def in_time(
    lines: QuerySet[Line], *, since: datetime | None, until: datetime | None
) -> QuerySet[Line]:
    """Keep the lines from a moment on and before another one."""
    if since:
        lines = lines.filter(at__gte=since)
    return lines.filter(at__lt=until) if until else lines


def behind(lines: QuerySet[Line], *, after: str) -> QuerySet[Line]:
    """Begin at the place that `after` names; an unknown place is the beginning."""
    moment, _, line_id = after.partition("_")
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return lines
    last = as_id(line_id)
    if last is None or at.tzinfo is None:
        return lines
    # The first condition is implied by the second, and lets the index begin at the place.
    return lines.filter(Q(at__lt=at) | Q(at=at, id__lt=last), at__lte=at)
