"""What the map looks like: every mark, card and arc with its place, address and name."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from memories.models import Kind, Reason
from memories.queries.linkmap import Arc, Cluster, LinkMap, Mark
from memories.rules import maps
from memories.rules.clusters import head
from spaces.models import Space

BAR = 8
FULL = 150


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A mark with everything that its link says and shows."""

    place: int
    mark: Mark
    x: float
    y: float
    url: str
    name: str


@dataclass(frozen=True, slots=True)
class DrawnArc:
    arc: Arc
    shape: str
    name: str


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A cluster: a card with a bar that is divided by kinds."""

    cluster: Cluster
    place: int
    box: maps.Box
    url: str
    bars: Sequence[tuple[str, float, float]]
    bar_y: float
    label: str
    said: str
    name: str


@dataclass(frozen=True, slots=True)
class Drawing:
    width: int
    height: int
    territories: Sequence[maps.Territory] = ()
    marks: Sequence[DrawnMark] = ()
    cards: Sequence[DrawnCard] = ()
    arcs: Sequence[DrawnArc] = ()

    @property
    def is_full(self) -> bool:
        """Say whether the lines are so many that each must be faint."""
        return len(self.arcs) > FULL


def drawing(space: Space, found: LinkMap, *, width: int) -> Drawing:
    """Place what was found on a sheet of this width."""
    return _cards(space, found, width) if found.clusters else _marks(space, found, width)


def _marks(space: Space, found: LinkMap, width: int) -> Drawing:
    territories, height = maps.place(_groups(found.marks), width=width)
    spots = [spot for each in territories for block in each.blocks for spot in block.marks]
    links = [0] * len(spots)
    for arc in found.arcs:
        links[arc.first] += 1
        links[arc.second] += 1
    marks = [
        DrawnMark(place, mark, x, y, memory_url(space, mark), _mark_name(mark, links[place]))
        for place, (mark, (x, y)) in enumerate(zip(found.marks, spots, strict=True))
    ]
    return Drawing(width, round(height), territories, marks, arcs=_arcs(found.arcs, spots))


def _cards(space: Space, found: LinkMap, width: int) -> Drawing:
    boxes, height = maps.place_cards(len(found.clusters), width=width)
    cards = [
        _card(space, cluster, place, box)
        for place, (cluster, box) in enumerate(zip(found.clusters, boxes, strict=True))
    ]
    arcs = _arcs(found.arcs, [box.middle for box in boxes])
    return Drawing(width, round(height), cards=cards, arcs=arcs)


def _groups(marks: Sequence[Mark]) -> list[maps.Group]:
    """Divide the marks by the first segment of their path, and these by the second one."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    shown: dict[str, str] = {}
    for mark in marks:
        first, both = head(mark.path_key, depth=1), head(mark.path_key, depth=2)
        counts[first][both] += 1
        shown.setdefault(first, head(mark.path, depth=1))
        shown.setdefault(both, head(mark.path, depth=2))
    return [
        maps.Group(
            f"{shown[first]} · {sum(parts.values())}",
            parts=[
                maps.Group(shown[both].partition(".")[2], count) for both, count in parts.items()
            ],
        )
        for first, parts in counts.items()
    ]


def _arcs(arcs: Sequence[Arc], spots: Sequence[tuple[float, float]]) -> list[DrawnArc]:
    return [
        DrawnArc(arc, maps.arc(spots[arc.first], spots[arc.second]), str(Reason(arc.reason).label))
        for arc in arcs
    ]


def _bars(cluster: Cluster, box: maps.Box) -> list[tuple[str, float, float]]:
    """Return kind, place and width of each part of the bar in a card."""
    room, x, bars = box.width - 2 * maps.PADDING, box.x + maps.PADDING, []
    for kind in Kind.values:
        width = room * cluster.kinds.get(kind, 0) / cluster.count
        if width:
            bars.append((kind, x, width))
        x += width
    return bars


def _mark_name(mark: Mark, links: int) -> str:
    kind = str(Kind(mark.kind).label)
    if mark.is_replaced:
        kind = gettext("%(kind)s, replaced") % {"kind": kind}
    number = ngettext("%(number)s link", "%(number)s links", links) % {"number": links}
    return f"{kind} · {mark.path} · {number}\n{mark.text}"


def _card(space: Space, cluster: Cluster, place: int, box: maps.Box) -> DrawnCard:
    name = gettext("Many small paths") if cluster.is_rest else cluster.path
    said = ngettext("%(number)s memory", "%(number)s memories", cluster.count)
    said %= {"number": cluster.count}
    parts = [f"{Kind(kind).label}: {count}" for kind, count in cluster.kinds.items()]
    return DrawnCard(
        cluster=cluster,
        place=place,
        box=box,
        url=_cluster_url(space, cluster),
        bars=_bars(cluster, box),
        bar_y=box.bottom - maps.PADDING - BAR,
        label=maps.shortened(name, box.width - 2 * maps.PADDING),
        said=said,
        name=f"{name} · {said} ({', '.join(parts)})",
    )


def memory_url(space: Space, mark: Mark) -> str:
    return reverse("memories:detail", args=[space.pk, mark.id])


def _cluster_url(space: Space, cluster: Cluster) -> str:
    if cluster.is_rest:
        return space.get_absolute_url()
    return f"{reverse('memories:map', args=[space.pk])}?{urlencode({'path': cluster.path})}"
