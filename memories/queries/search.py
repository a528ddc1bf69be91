"""What holds now, found by word; paths in use; one memory by its id."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, islice
from typing import Literal
from unicodedata import category
from uuid import UUID

from django.db.models import Count, Min
from django.utils import timezone

from brain.lib.errors import DomainError
from brain.lib.text import readable
from memories.models import Kind, Memory
from memories.queries.words import Filters, WordHit, by_words_or_letters
from memories.rules.disagreements import disagree
from memories.rules.paths import path
from spaces.isolation import inside
from spaces.models import Space

QUERY_MAX = 2000
MAX_LIMIT = 20
MAX_PATHS = 100
MAX_DISAGREEMENTS = 5
# Hits that hold less of the query's information than this are not offered as close.
CLOSE = 0.3

Why = Literal["words", "meaning", "both", "id"]


class LimitError(DomainError):
    code = "bad_limit"
    hint = f"Use a number from 1 to {MAX_LIMIT}."


class UnknownKindError(DomainError):
    code = "unknown_kind"
    hint = f"Use {', '.join(Kind.values)}."


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found; `score` is between 0 and 1."""

    memory: Memory
    why: Why
    score: float


@dataclass(frozen=True, slots=True)
class PathInUse:
    path: str
    count: int


@dataclass(frozen=True, slots=True)
class Found:
    """Hits best first; `more` counts what was left out; `paths` answers an empty query.

    `gone` is the memory that an id names when it no longer holds.
    """

    hits: Sequence[Hit] = ()
    more: int = 0
    paths: Sequence[PathInUse] = ()
    disagreements: Sequence[tuple[UUID, UUID]] = ()
    is_close: bool = True
    gone: Memory | None = None


def search(
    *,
    space: Space,
    query: str = "",
    path_filter: str = "",
    kinds: Sequence[str] = (),
    limit: int = 5,
) -> Found:
    """Search what holds now. State, date, kind and path are decided before ranking.

    Raises a DomainError for a kind that is not known, a limit outside 1 to 20, a path that
    cannot be one, or a query that is too long; every other text is a query.
    """
    if not 1 <= limit <= MAX_LIMIT:
        raise LimitError("The limit is out of range.")
    if not set(kinds) <= set(Kind.values):
        raise UnknownKindError("One of the kinds is not known.")
    filters = Filters(kinds=kinds, path_key=path(path_filter).key if path_filter.strip() else "")
    query = searchable(query)
    now = timezone.now()
    with inside(space):
        if not query:
            return _paths(space, filters, now=now)
        if (memory_id := as_id(query)) and (found := _by_id(space, memory_id, now=now)):
            return found
        return _ranked(space, query, now=now, filters=filters, limit=limit)


def searchable(query: str) -> str:
    """Return what can be searched for of any text; TooLongError when it is too much."""
    # PostgreSQL takes neither NUL nor half a surrogate pair; no memory has them either.
    plain = "".join(" " if category(char) in {"Cc", "Cs"} else char for char in query)
    return readable(plain, limit=QUERY_MAX, what="The query").strip()


def as_id(query: str) -> UUID | None:
    """Return the id that the query is, in any of its usual spellings."""
    try:
        return UUID(query)
    except ValueError:
        return None


def _by_id(space: Space, memory_id: UUID, *, now: datetime) -> Found | None:
    memory = Memory.objects.filter(space=space, pk=memory_id).first()
    if memory is None:
        return None
    if not memory.is_live(now=now):
        return Found(gone=memory, is_close=False)
    return Found(hits=[Hit(memory, "id", 1.0)])


def _ranked(space: Space, query: str, *, now: datetime, filters: Filters, limit: int) -> Found:
    wanted = MAX_LIMIT + 1
    words = by_words_or_letters(space, query, now=now, filters=filters, limit=wanted)
    hits = _hits(space, words[:limit])
    return Found(
        hits=hits,
        more=len(words) - len(hits),
        disagreements=_disagreements(hits),
        is_close=any(word.coverage >= CLOSE for word in words[:limit]),
    )


def _hits(space: Space, words: Sequence[WordHit]) -> list[Hit]:
    found = Memory.objects.filter(space=space).prefetch_related("more_sources")
    memories = found.in_bulk([word.memory_id for word in words])
    return [Hit(memories[word.memory_id], "words", round(word.coverage, 3)) for word in words]


def _disagreements(hits: Sequence[Hit]) -> list[tuple[UUID, UUID]]:
    pairs = combinations([hit.memory for hit in hits], 2)
    disagreeing = (
        (one.pk, two.pk)
        for one, two in pairs
        if disagree(one.content, two.content, kinds=(one.kind, two.kind))
    )
    return list(islice(disagreeing, MAX_DISAGREEMENTS))


def _paths(space: Space, filters: Filters, *, now: datetime) -> Found:
    live = Memory.objects.filter(space=space).live(now=now)
    if filters.kinds:
        live = live.filter(kind__in=filters.kinds)
    if filters.path_key:
        live = live.at_or_below(filters.path_key)
    rows = (
        live.values("path_key")
        .annotate(shown=Min("path"), count=Count("pk"))
        .order_by("-count", "path_key")
        .values_list("shown", "count")
    )
    paths = [PathInUse(shown, count) for shown, count in rows]
    return Found(paths=paths[:MAX_PATHS], more=len(paths[MAX_PATHS:]))
