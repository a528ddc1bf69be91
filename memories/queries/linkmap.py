"""What the map shows: every live memory and the links among them, or clusters where it is full."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db import connection
from django.db.models import Count, F, Min, Q
from django.db.models.functions import Left
from django.utils import timezone

from memories.models import Memory, MemoryLink, Reason, State
from memories.models.memory import MemoryQuerySet
from memories.rules.clusters import REST, clusters, head
from memories.rules.paths import path
from spaces.isolation import inside
from spaces.models import Space

MAX_MARKS = 1000
MAX_ARCS = 4000
# Between clusters, only what binds most.
MAX_CLUSTER_ARCS = 120
MAX_CLUSTERS = 120
PREVIEW = 160


@dataclass(frozen=True, slots=True)
class MapFilter:
    """What the map shall show; an empty field lets everything through."""

    kind: str = ""
    path: str = ""
    has_replaced: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """One memory on the map; one that was replaced is there only when it is asked for."""

    id: UUID
    kind: str
    path: str
    path_key: str
    text: str
    is_replaced: bool


@dataclass(frozen=True, slots=True)
class Arc:
    """A link between two marks or two clusters, by their places; `count` links are one arc."""

    first: int
    second: int
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Cluster:
    """All memories at a path and below it; `is_rest` are those of all the small paths."""

    path: str
    count: int
    kinds: Mapping[str, int]
    is_rest: bool = False


@dataclass(frozen=True, slots=True)
class LinkMap:
    """Marks or, above MAX_MARKS, clusters; both in the order of their paths.

    `kinds` counts what passes the other filters, `left_out` the arcs that are too many to draw.
    """

    total: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    marks: Sequence[Mark] = ()
    clusters: Sequence[Cluster] = ()
    arcs: Sequence[Arc] = ()
    left_out: int = 0


def link_map(space: Space, wanted: MapFilter) -> LinkMap:
    """Return the map; raises a DomainError for a path that cannot be one."""
    key = path(wanted.path).key if wanted.path.strip() else ""
    with inside(space):
        memories = _shown(space, wanted, key)
        kinds = dict(memories.values_list("kind").annotate(count=Count("pk")).order_by())
        if wanted.kind:
            memories = memories.filter(kind=wanted.kind)
        total = kinds.get(wanted.kind, 0) if wanted.kind else sum(kinds.values())
        drawn = (
            _one_by_one(space, memories) if total <= MAX_MARKS else _in_clusters(space, memories)
        )
    return LinkMap(total, kinds, *drawn)


def _shown(space: Space, wanted: MapFilter, key: str) -> MemoryQuerySet:
    memories, now = Memory.objects.in_space(space), timezone.now()
    is_live = Q(state=State.ACTIVE) & (Q(expires_at=None) | Q(expires_at__gt=now))
    is_replaced = Q(state=State.SUPERSEDED, erased_at=None)
    memories = memories.filter(is_live | is_replaced if wanted.has_replaced else is_live)
    return memories.at_or_below(key) if key else memories


_Drawn = tuple[Sequence[Mark], Sequence[Cluster], Sequence[Arc], int]


def _one_by_one(space: Space, memories: MemoryQuerySet) -> _Drawn:
    rows = memories.order_by("path_key", "created_at", "id").values_list(
        "pk", "kind", "path", "path_key", Left("content", PREVIEW), "state"
    )
    marks = [
        Mark(pk, kind, shown, key, text, is_replaced=state == State.SUPERSEDED)
        for pk, kind, shown, key, text, state in rows[:MAX_MARKS]
    ]
    places = {mark.id: place for place, mark in enumerate(marks)}
    links = MemoryLink.objects.in_space(space).filter(first__in=list(places))
    arcs: dict[tuple[int, int, str], Arc] = {}
    for first, second, reason in links.order_by("-weight", "id").values_list(
        "first_id", "second_id", "reason"
    ):
        arc = Arc(places[first], places[second], reason) if second in places else None
        if arc and _still_holds(arc, marks):
            arcs.setdefault(_sight(arc), arc)
    found = list(arcs.values())
    return marks, (), found[:MAX_ARCS], max(len(found) - MAX_ARCS, 0)


def _still_holds(arc: Arc, marks: Sequence[Mark]) -> bool:
    """Say whether the link is still true: a link is not rewritten when the other one moves."""
    is_same_path = marks[arc.first].path_key == marks[arc.second].path_key
    return arc.reason != Reason.SAME_PATH or is_same_path


def _sight(arc: Arc) -> tuple[int, int, str]:
    """Return what makes two arcs look the same: what is alike has no direction."""
    has_direction = arc.reason in {Reason.MENTIONS, Reason.REPLACED_BY}
    ends = (arc.first, arc.second)
    low, high = ends if has_direction else (min(ends), max(ends))
    return low, high, arc.reason


def _in_clusters(space: Space, memories: MemoryQuerySet) -> _Drawn:
    rows = list(
        memories.values_list("path_key", "kind")
        .annotate(count=Count("pk"), shown=Min("path"))
        .order_by("path_key")
    )
    counts: Counter[str] = Counter()
    for key, _kind, count, _shown in rows:
        counts[key] += count
    cluster_of = clusters(counts, limit=MAX_CLUSTERS)
    kinds: dict[str, Counter[str]] = {}
    labels: dict[str, str] = {}
    for key, kind, count, shown in rows:
        cluster = cluster_of[key]
        kinds.setdefault(cluster, Counter())[kind] += count
        labels.setdefault(cluster, head(shown, depth=cluster.count(".") + 1))
    labels[REST] = ""
    places = {cluster: place for place, cluster in enumerate(sorted(kinds))}
    drawn = [
        Cluster(labels[each], sum(kinds[each].values()), kinds[each], is_rest=each == REST)
        for each in places
    ]
    arcs, left_out = _between_clusters(space, memories, cluster_of, places)
    return (), drawn, arcs, left_out


def _between_clusters(
    space: Space,
    memories: MemoryQuerySet,
    cluster_of: Mapping[str, str],
    places: Mapping[str, int],
) -> tuple[Sequence[Arc], int]:
    with connection.cursor() as cursor:
        # After a large import the planner takes the tables for small, and loops for minutes.
        cursor.execute("select set_config('enable_nestloop', 'off', true)")
    ids = memories.values("pk")
    links = MemoryLink.objects.in_space(space).exclude(reason=Reason.SAME_PATH)
    rows = (
        links.filter(first__in=ids, second__in=ids)
        .exclude(first__path_key=F("second__path_key"))
        .values_list("first__path_key", "second__path_key", "reason")
        .annotate(count=Count("pk"))
        .order_by()
    )
    found: Counter[tuple[int, int, str]] = Counter()
    for first, second, reason, count in rows:
        arc = Arc(places[cluster_of[first]], places[cluster_of[second]], reason)
        if arc.first != arc.second:
            found[_sight(arc)] += count
    arcs = [Arc(*ends, count=count) for ends, count in found.most_common(MAX_CLUSTER_ARCS)]
    return arcs, len(found) - len(arcs)
