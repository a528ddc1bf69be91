"""What holds now, found by word; paths in use; one memory by its id."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, islice
from typing import Literal
from unicodedata import category
from uuid import UUID

from django.db.models import Count, Min, prefetch_related_objects
from django.utils import timezone

from brain.lib.errors import DomainError
from brain.lib.text import readable
from memories.models import Kind, Memory
from memories.queries.candidates import candidates
from memories.queries.disagreements import asked_about
from memories.queries.meaning import Question, question_of
from memories.queries.verdicts import verdict_on
from memories.queries.words import Filters, by_letters
from memories.rules.authorship import RULE_KINDS
from memories.rules.comparison.verdicts import Relation
from memories.rules.facts import wording
from memories.rules.languages import language_of
from memories.rules.paths import path
from memories.rules.ranking import COVERAGE, SECOND, Candidate, Ranked, Scale, ranked
from spaces.isolation import inside
from spaces.models import Space

QUERY_MAX = 2000
MAX_LIMIT = 20
MAX_PATHS = 100
MAX_DISAGREEMENTS = 5
# How many more are looked at, in case some hits say the same words.
SPARE = 5
# What only looks like the query is never a sure hit.
LETTERS = 0.5

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

    `gone` is the memory that an id names when it no longer holds; `by_meaning` says whether
    search by meaning was on.
    """

    hits: Sequence[Hit] = ()
    more: int = 0
    paths: Sequence[PathInUse] = ()
    disagreements: Sequence[tuple[UUID, UUID]] = ()
    is_close: bool = True
    gone: Memory | None = None
    by_meaning: bool = False


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
    # Before the transaction: reading the question can take a while.
    question = None
    if query and as_id(query) is None:
        question = question_about(space, query)
    with inside(space):
        if not query:
            return _paths(space, filters, now=now)
        if (memory_id := as_id(query)) and (found := _by_id(space, memory_id, now=now)):
            return found
        order = in_order(space, query, now=now, filters=filters, question=question)
        return _found(space, order, limit=limit, by_meaning=question is not None)


def question_about(space: Space, query: str) -> Question | None:
    """Return the query as the models read it, or None when search has to go by words alone."""
    return question_of(query, by_both=not _is_english(space, query))


def in_order(
    space: Space, query: str, *, now: datetime, filters: Filters, question: Question | None
) -> list[Ranked]:
    """Return all that may answer the query, best first; call it inside the space."""
    found = candidates(space, query, now=now, filters=filters, question=question)
    if not any(each.bm25 for each in found):
        found = [*found, *_spelt_like_it(space, query, now=now, filters=filters)]
    return ranked(found, scale=_scale(space, query, question))


def _is_english(space: Space, query: str) -> bool:
    # Where question and memories are both English, the first model alone orders better.
    return space.language == Space.Language.ENGLISH and language_of(query) != "pt"


def _scale(space: Space, query: str, question: Question | None) -> Scale:
    if question is None:
        return Scale()
    first, second = question.first.thresholds, question.second
    if _is_english(space, query):
        return Scale(close=first.close, coverage_weight=COVERAGE)
    if second is None:
        return Scale(close=first.close_across_languages)
    return Scale(first.close, second.thresholds.close, second_weight=SECOND)


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


def _spelt_like_it(space: Space, query: str, *, now: datetime, filters: Filters) -> list[Candidate]:
    spelt = by_letters(space, query, now=now, filters=filters, limit=MAX_LIMIT)
    return [
        Candidate(memory_id, now, likeness, LETTERS * likeness, None)
        for memory_id, likeness in spelt
    ]


def _found(space: Space, order: Sequence[Ranked], *, limit: int, by_meaning: bool) -> Found:
    is_close = any(each.is_close for each in order[:limit])
    # What is not close is shown as such, and only a little of it.
    offered = order if is_close else order[: limit // 2 + 1]
    looked_at = offered[: limit + SPARE]
    rows = Memory.objects.filter(space=space).in_bulk(
        [each.candidate.memory_id for each in looked_at]
    )
    hits, repeated = _distinct(looked_at, rows)
    prefetch_related_objects([hit.memory for hit in hits[:limit]], "more_sources")
    return Found(
        hits=hits[:limit],
        more=max(0, min(len(offered), MAX_LIMIT + 1) - len(hits[:limit]) - repeated),
        disagreements=disagreements_among(space, [hit.memory for hit in hits[:limit]]),
        is_close=is_close,
        by_meaning=by_meaning,
    )


def _distinct(order: Sequence[Ranked], rows: Mapping[UUID, Memory]) -> tuple[list[Hit], int]:
    """Return the hits without those that say the same words again, and how many those are."""
    hits: dict[str, Hit] = {}
    repeated = 0
    for each in order:
        memory = rows.get(each.candidate.memory_id)
        if memory is None:
            continue
        said = wording(memory.content)
        repeated += said in hits
        hits.setdefault(said, Hit(memory, each.why, each.score))
    return list(hits.values()), repeated


def disagreements_among(space: Space, memories: Sequence[Memory]) -> list[tuple[UUID, UUID]]:
    """Return the pairs of memories that cannot both hold, in the order given.

    A question that the person has open says so; one that they answered is not raised again as
    long as both texts are those that they saw. Of other pairs the rules decide. Call it inside
    the space.
    """
    rules = [memory for memory in memories if memory.kind in RULE_KINDS]
    asked = asked_about(space, rules) if len(rules) > 1 else {}

    def is_open(one: Memory, two: Memory) -> bool:
        answer = asked.get(frozenset((one.pk, two.pk)))
        if answer is None:
            return verdict_on(one, two).relation is Relation.CONFLICT
        return answer

    pairs = ((one.pk, two.pk) for one, two in combinations(rules, 2) if is_open(one, two))
    return list(islice(pairs, MAX_DISAGREEMENTS))


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
