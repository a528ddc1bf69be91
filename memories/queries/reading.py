"""Memories to read by their place: the paths that hold something now, and what lies at one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Min, Q, prefetch_related_objects
from django.utils import timezone

from memories.models import Kind, Memory
from memories.queries.search import disagreements_among
from memories.rules.paths import key_of, path
from spaces.isolation import inside
from spaces.models import Space

PATHS_A_PAGE = 50
MOST_MEMORIES = 20
MOST_SUGGESTIONS = 20


@dataclass(frozen=True, slots=True)
class PathNow:
    """A path in use: how many memories of which kind lie exactly there, and the last change."""

    path: str
    kinds: Mapping[str, int]
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class PathPage:
    """`after` is the key of the last path when there are more."""

    paths: Sequence[PathNow] = ()
    after: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What holds at a path and below it; `more` counts what was left out.

    `gone` is the memory that an id names when it no longer holds.
    """

    memories: Sequence[Memory] = ()
    more: int = 0
    disagreements: Sequence[tuple[UUID, UUID]] = ()
    gone: Memory | None = None


def paths_now(space: Space, *, after: str = "") -> PathPage:
    """Return the next paths that hold something now, in the order of their keys."""
    counts = {f"of_{kind}": Count("pk", filter=Q(kind=kind)) for kind in Kind.values}
    with inside(space):
        live = Memory.objects.in_space(space).live(now=timezone.now()).filter(path_key__gt=after)
        rows = (
            live.values("path_key")
            .annotate(shown=Min("path"), changed_at=Max("updated_at"), **counts)
            .order_by("path_key")[: PATHS_A_PAGE + 1]
        )
        found = list(rows)
    return PathPage(
        paths=[_path_now(row) for row in found[:PATHS_A_PAGE]],
        after=found[PATHS_A_PAGE - 1]["path_key"] if len(found) > PATHS_A_PAGE else "",
    )


def _path_now(row: Mapping[str, object]) -> PathNow:
    changed_at = row["changed_at"]
    assert isinstance(changed_at, datetime)
    counts = {kind: row[f"of_{kind}"] for kind in Kind.values}
    kinds = {kind: count for kind, count in counts.items() if isinstance(count, int) and count}
    return PathNow(str(row["shown"]), kinds, changed_at)


def read_path(space: Space, raw: str) -> Reading:
    """Return what holds at the path and below it, the path itself first; raises PathError."""
    place = path(raw)
    with inside(space):
        live = Memory.objects.in_space(space).live(now=timezone.now())
        there = live.at_or_below(place.key).order_by("path_key", "-confirmed_at", "pk")
        found = list(there[: MOST_MEMORIES + 1])
        more = there.count() - MOST_MEMORIES if len(found) > MOST_MEMORIES else 0
        memories = found[:MOST_MEMORIES]
        prefetch_related_objects(memories, "more_sources")
        return Reading(memories, more, disagreements_among(space, memories))


def read_memory(space: Space, memory_id: UUID) -> Reading:
    """Return the memory, if the space has it and it holds now."""
    with inside(space):
        memory = Memory.objects.in_space(space).filter(pk=memory_id).first()
        if memory is None:
            return Reading()
        if not memory.is_live(now=timezone.now()):
            return Reading(gone=memory)
        prefetch_related_objects([memory], "more_sources")
    return Reading([memory])


def paths_beginning_with(space: Space, typed: str) -> list[str]:
    """Return paths that hold something now and begin like what somebody has typed so far."""
    with inside(space):
        live = Memory.objects.in_space(space).live(now=timezone.now()).exclude(path_key="")
        begun = live.filter(path_key__startswith=key_of(typed)).values_list("path_key")
        named = begun.annotate(shown=Min("path")).order_by("path_key")
        return [shown for _key, shown in named[:MOST_SUGGESTIONS]]


def tasks_named_like(space: Space, typed: str) -> list[str]:
    """Return tasks in progress whose name has what somebody has typed so far, newest first."""
    with inside(space):
        live = Memory.objects.in_space(space).live(now=timezone.now())
        open_now = live.filter(kind=Kind.CHECKPOINT).order_by("-updated_at", "-pk")
        if typed.strip():
            open_now = open_now.filter(checkpoint__task__icontains=typed.strip())
        fields = open_now.values_list("checkpoint", flat=True)[:MOST_SUGGESTIONS]
        return [str(each.get("task", "")) for each in fields]
