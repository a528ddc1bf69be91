"""The list of what a space remembers: filtered, newest first, in pages of 25."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import models
from django.db.models import Count, Min, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models import Memory, State
from memories.models.memory import MemoryQuerySet
from memories.queries.search import as_id, in_order, searchable
from memories.queries.words import Filters
from memories.rules.paths import path
from spaces.isolation import inside
from spaces.models import Space

PAGE = 25
# Hits of a search come best first, on as many pages as a person reads.
MAX_FOUND = 200
MAX_PATHS = 200


class Standing(models.TextChoices):
    """How a memory stands now: its state, or *expired* when its date has passed."""

    ACTIVE = "active", _("Holds now")
    EXPIRED = "expired", _("Expired")
    HELD = "held", _("Waiting for you")
    SUPERSEDED = "superseded", _("Superseded")
    FORGOTTEN = "forgotten", _("Forgotten")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the list shall show; an empty field lets everything through."""

    query: str = ""
    standing: str = Standing.ACTIVE
    kind: str = ""
    author: str = ""
    path: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    memory: Memory
    standing: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list. `after` names the place where the next one begins, if there is one.

    `counts` has the number of memories in each standing that pass the other filters; a search
    has none. `paths` are those in use, whatever the filters.
    """

    rows: Sequence[Row] = ()
    total: int = 0
    after: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    paths: Sequence[str] = ()

    @property
    def is_new(self) -> bool:
        """Say whether nothing was ever remembered here, so that no filter is to blame."""
        return not (self.rows or self.paths or any(self.counts.values()))


def memory_page(space: Space, wanted: Wanted) -> Page:
    """Return the page of memories that `wanted` describes.

    Raises a DomainError for a path that cannot be one, or for a query that is too long.
    """
    now, query = timezone.now(), searchable(wanted.query)
    path_key = path(wanted.path).key if wanted.path.strip() else ""
    with inside(space):
        memories = Memory.objects.in_space(space)
        paths = _paths_in_use(memories)
        if memory_id := as_id(query):
            return _page(list(memories.filter(pk=memory_id)), now=now, paths=paths)
        memories = _filtered(memories, wanted, path_key)
        standing = memories.filter(_stands(wanted.standing, now=now))
        if query and wanted.standing == Standing.ACTIVE:
            filters = Filters(kinds=[wanted.kind] if wanted.kind else (), path_key=path_key)
            order = in_order(space, query, now=now, filters=filters, question=None)
            ids = [each.candidate.memory_id for each in order[:MAX_FOUND]]
            found = sorted(standing.filter(pk__in=ids), key=lambda memory: ids.index(memory.pk))
            return _page(found, now=now, paths=paths, start=_number(wanted.after))
        if query:
            standing = standing.filter(Q(content__icontains=query) | Q(path__icontains=query))
        counts = {} if query else _counts(memories, now=now)
        found = list(_newest(standing, after=wanted.after)[: PAGE + 1])
        last = found[PAGE - 1] if len(found) > PAGE else None
        return Page(
            rows=_rows(found[:PAGE], now=now),
            total=standing.count() if query else counts[wanted.standing],
            after=f"{last.updated_at.isoformat()}_{last.pk}" if last else "",
            counts=counts,
            paths=paths,
        )


def paths_in_use(space: Space) -> list[str]:
    """Return the paths that memories of the space have, whatever became of them."""
    with inside(space):
        return _paths_in_use(Memory.objects.in_space(space))


def _paths_in_use(memories: MemoryQuerySet) -> list[str]:
    paths = memories.exclude(path="").values_list("path_key").annotate(shown=Min("path"))
    return [shown for _key, shown in paths.order_by("path_key")[:MAX_PATHS]]


def _filtered(memories: MemoryQuerySet, wanted: Wanted, path_key: str) -> MemoryQuerySet:
    if wanted.kind:
        memories = memories.filter(kind=wanted.kind)
    if wanted.author:
        memories = memories.filter(author=wanted.author)
    return memories.at_or_below(path_key) if path_key else memories


def _stands(standing: str, *, now: datetime) -> Q:
    if standing == Standing.EXPIRED:
        return Q(state=State.ACTIVE, expires_at__lte=now)
    if standing == Standing.ACTIVE:
        return Q(state=State.ACTIVE) & (Q(expires_at=None) | Q(expires_at__gt=now))
    return Q(state=standing)


def _counts(memories: MemoryQuerySet, *, now: datetime) -> dict[str, int]:
    counted: dict[str, int] = memories.aggregate(
        **{each.value: Count("pk", filter=_stands(each, now=now)) for each in Standing}
    )
    return counted


def _newest(memories: MemoryQuerySet, *, after: str) -> MemoryQuerySet:
    """Order by date, from the place that `after` names on; an unknown place is the beginning."""
    memories = memories.order_by("-updated_at", "id")
    moment, _, memory_id = after.partition("_")
    updated_at, last = _moment(moment), as_id(memory_id)
    if updated_at is None or last is None:
        return memories
    # The first condition is implied by the second, and lets the index begin at the place.
    return memories.filter(
        Q(updated_at__lt=updated_at) | Q(updated_at=updated_at, id__gt=last),
        updated_at__lte=updated_at,
    )


def _page(found: Sequence[Memory], *, now: datetime, paths: Sequence[str], start: int = 0) -> Page:
    """Return the page of a search, whose order is known whole."""
    end = start + PAGE
    return Page(
        rows=_rows(found[start:end], now=now),
        total=len(found),
        after=str(end) if len(found) > end else "",
        paths=paths,
    )


def _rows(memories: Sequence[Memory], *, now: datetime) -> list[Row]:
    return [Row(memory, memory.standing(now=now)) for memory in memories]


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < len("1000") else 0
