"""Rows for programs: in an order that stays while they read, with a cursor."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from brain.lib.errors import DomainError, NotFoundError
from memories.models import Memory, ReviewItem, State
from memories.queries.search import as_id
from memories.rules.paths import path
from spaces.isolation import inside
from spaces.models import Space


class CursorError(DomainError):
    code = "bad_cursor"
    hint = "Send the `after` of the page before, or none."


@dataclass(frozen=True, slots=True)
class RowsAsked:
    """Which memories are wanted; an empty field lets everything through."""

    state: str = ""
    kind: str = ""
    author: str = ""
    path: str = ""
    after: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class MemoryRows:
    """Memories in the order in which they were first written; `after` is the next cursor."""

    rows: Sequence[Memory]
    after: str


@dataclass(frozen=True, slots=True)
class QuestionRows:
    rows: Sequence[ReviewItem]
    after: str


def memory_rows(space: Space, asked: RowsAsked) -> MemoryRows:
    """Return one page. Raises a DomainError for a path or a cursor that cannot be one."""
    wanted = Q(space=space)
    if asked.kind:
        wanted &= Q(kind=asked.kind)
    if asked.author:
        wanted &= Q(author=asked.author)
    if asked.after:
        wanted &= Q(pk__gt=_cursor(asked.after))
    key = path(asked.path).key if asked.path.strip() else ""
    now = timezone.now()
    with inside(space):
        memories = Memory.objects.filter(wanted)
        if key:
            memories = memories.at_or_below(key)
        if asked.state == "expired":
            memories = memories.expired(now=now)
        elif asked.state == State.ACTIVE:
            memories = memories.live(now=now)
        elif asked.state:
            memories = memories.filter(state=asked.state)
        rows = list(memories.order_by("pk")[: asked.limit + 1])
    return MemoryRows(rows[: asked.limit], _next(rows, asked.limit))


def memories_of(space: Space, ids: Sequence[UUID]) -> list[Memory]:
    """Return those of the memories that are in the space, in no order."""
    with inside(space):
        return list(Memory.objects.filter(space=space, pk__in=ids))


def waiting_questions(
    space: Space, *, question: str = "", after: str = "", limit: int = 50
) -> QuestionRows:
    """Return one page of what waits for the person's answer, the oldest first."""
    wanted = Q(question=question) if question else Q()
    if after:
        wanted &= Q(pk__gt=_cursor(after))
    with inside(space):
        items = ReviewItem.objects.in_space(space).waiting(now=timezone.now()).filter(wanted)
        items = items.select_related("memory", "other")
        rows = list(items.order_by("pk")[: limit + 1])
    return QuestionRows(rows[:limit], _next(rows, limit))


def question_row(space: Space, question_id: UUID) -> ReviewItem:
    """Return one question of the space, settled or not."""
    with inside(space):
        items = ReviewItem.objects.in_space(space).select_related("memory", "other")
        item = items.filter(pk=question_id).first()
    if item is None:
        raise NotFoundError("There is no such question.", hint="Check the address.")
    return item


def _cursor(text: str) -> UUID:
    cursor = as_id(text)
    if cursor is None:
        raise CursorError("This is not the cursor of a page.")
    return cursor


def _next(rows: Sequence[Memory] | Sequence[ReviewItem], limit: int) -> str:
    return str(rows[limit - 1].pk) if len(rows) > limit else ""
