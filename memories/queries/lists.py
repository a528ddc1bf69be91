"""The list of what a space remembers: searched, filtered, sorted, in pages of 25."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memories.models import Memory
from memories.models.memory import MemoryQuerySet
from memories.queries.concerns import of_concern
from memories.queries.finding import Mode, with_exact_words, with_text, with_words
from memories.queries.meaning import Question, why_off
from memories.queries.places import places_of, writers_of
from memories.queries.rows import rows_of
from memories.queries.search import as_id, in_order, question_about, searchable
from memories.queries.sorting import Sort, in_order_of, place_of
from memories.queries.standings import counts_by_standing, stands
from memories.queries.wanted import Page, Wanted
from memories.queries.words import Filters
from memories.rules.paths import path
from memories.rules.ranking import Ranked
from spaces.isolation import inside
from spaces.models import Space

PAGE = 25
# A search counts its hits up to here; nobody reads further.
MOST_COUNTED = 1000
# When less is close to the query, so many of the nearest are shown all the same.
NEAREST = 10


def memory_page(space: Space, wanted: Wanted, *, rows_only: bool = False) -> Page:
    """Return the page of memories that `wanted` describes; the next rows come without the rest.

    Raises a DomainError for a path that cannot be one, or for a query that is too long.
    """
    now, query = timezone.now(), searchable(wanted.query)
    wanted = replace(wanted, query=query)
    place = path(wanted.path) if wanted.path.strip() else None
    path_key = place.key if place else ""
    memory_id = as_id(query)
    # Before the transaction: reading the question can take a while.
    question = question_about(space, query) if wanted.is_by_meaning and not memory_id else None
    with inside(space):
        memories = Memory.objects.in_space(space)
        if memory_id:
            page = _one(memories.filter(pk=memory_id), now=now)
        elif wanted.is_by_meaning:
            page = _by_meaning(space, wanted, question, path_key=path_key)
        else:
            page = _in_pages(space, wanted, path_key, now=now, rows_only=rows_only)
        if rows_only:
            return page
        counted = stands(wanted.standing, now=now)
        return replace(
            page,
            places=places_of(memories, counted=counted, below=place.text if place else ""),
            writers=writers_of(memories),
        )


def _filtered(memories: MemoryQuerySet, wanted: Wanted, path_key: str) -> MemoryQuerySet:
    if wanted.kind:
        memories = memories.filter(kind=wanted.kind)
    if wanted.author:
        memories = memories.filter(author=wanted.author)
    if wanted.client:
        memories = memories.filter(client_key=wanted.client)
    return memories.at_or_below(path_key) if path_key else memories


def _matching(memories: MemoryQuerySet, wanted: Wanted) -> MemoryQuerySet:
    if not wanted.query:
        return memories
    if wanted.mode == Mode.WORD:
        return with_exact_words(memories, wanted.query)
    if wanted.mode == Mode.TEXT:
        return with_text(memories, wanted.query)
    return with_words(memories, wanted.query)


def _in_pages(
    space: Space, wanted: Wanted, path_key: str, *, now: datetime, rows_only: bool
) -> Page:
    everything = Memory.objects.in_space(space)
    found = _matching(_filtered(everything, wanted, path_key), wanted)
    if wanted.only:
        found = of_concern(found, wanted.only, space=space, now=now)
    standing = in_order_of(
        found.filter(stands(wanted.standing, now=now)), wanted.order, after=wanted.after
    )
    counts, total = {}, 0
    if not wanted.query and not rows_only:
        counts = counts_by_standing(found, now=now)
        total = counts[wanted.standing]
    if wanted.query and not rows_only:
        # What is costly to find is found once, and counted as it is found.
        ids = list(standing.values_list("pk", flat=True)[:MOST_COUNTED])
        total = len(ids)
        first = everything.filter(pk__in=ids[: PAGE + 1])
        standing = in_order_of(first, wanted.order, after="")
    memories = list(standing.defer("words", "checkpoint")[: PAGE + 1])
    return Page(
        rows=rows_of(memories[:PAGE], query=wanted.query, mode=wanted.mode, now=now),
        total=total,
        has_more_than_total=bool(wanted.query) and total >= MOST_COUNTED,
        after=place_of(memories[PAGE - 1], wanted.order) if len(memories) > PAGE else "",
        counts=counts,
        caveat="by_words" if wanted.query and wanted.mode == Mode.MEANING else "",
    )


def _by_meaning(space: Space, wanted: Wanted, question: Question | None, *, path_key: str) -> Page:
    now, start = timezone.now(), _number(wanted.after)
    filters = Filters(
        kinds=[wanted.kind] if wanted.kind else (),
        path_key=path_key,
        author=wanted.author,
        client_key=wanted.client,
    )
    order = in_order(space, wanted.query, now=now, filters=filters, question=question)
    # What is not close is shown as such, and only a little of it.
    last_close = max((place for place, each in enumerate(order, 1) if each.is_close), default=0)
    is_close = last_close > 0
    ranks = {each.candidate.memory_id: each for each in order[: max(last_close, NEAREST)]}
    memories = _sorted(space, wanted, ranks)
    caveat = "off" if question is None else "" if is_close or not order else "not_close"
    return Page(
        rows=rows_of(
            memories[start : start + PAGE],
            query=wanted.query,
            mode=wanted.mode,
            now=now,
            ranks=ranks,
        ),
        total=len(memories),
        after=str(start + PAGE) if len(memories) > start + PAGE else "",
        caveat=caveat,
        why_off=why_off() if question is None else "",
    )


def _sorted(space: Space, wanted: Wanted, ranks: Mapping[UUID, Ranked]) -> list[Memory]:
    found = Memory.objects.in_space(space).filter(pk__in=ranks).defer("words", "checkpoint")
    if wanted.order != Sort.BEST:
        return list(in_order_of(found, wanted.order, after=""))
    places = {pk: place for place, pk in enumerate(ranks)}
    return sorted(found, key=lambda memory: places[memory.pk])


def _one(memories: MemoryQuerySet, *, now: datetime) -> Page:
    rows = rows_of(list(memories), query="", mode=Mode.MEANING, now=now)
    return Page(rows=[replace(row, why="id") for row in rows], total=len(rows))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < len("1000") else 0
