"""The map: every memory that holds and every link, drawn by the server, or told as a list."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError
from memories.list_filters import MapForm
from memories.models import Kind, Reason
from memories.queries.linkmap import LinkMap, MapFilter, Mark, link_map
from memories.queries.places import paths_in_use
from memories.views.drawing import drawing, memory_url
from spaces.access import readable_space
from spaces.models import Space

WIDTH, NARROW, WIDE = 1062, 300, 1600


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A kind with its number; the address shows it alone, or everything again."""

    kind: str
    label: str
    count: int
    url: str
    is_chosen: bool


@login_required
@require_safe
def linkmap(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    form = MapForm(request.GET)
    wanted, found = form.wanted, LinkMap()
    try:
        found = link_map(space, wanted)
    except DomainError as error:
        form.add_error("path", error.sentence)
    is_list = request.GET.get("as") == "list" and not found.clusters
    context = {
        "space": space,
        "section": "memories",
        "form": form,
        "wanted": wanted,
        "map": found,
        "drawing": None if is_list else drawing(space, found, width=_width(request)),
        "told": list(told(space, found)) if is_list else (),
        "legend": _legend(space, wanted, found),
        "reasons": [Reason.SAME_PATH, Reason.SIMILAR, Reason.MENTIONS, Reason.REPLACED_BY],
        "paths": paths_in_use(space),
        "list_url": _url(space, wanted, form="list"),
        "map_url": _url(space, wanted),
    }
    template = "memories/linkmap.html#drawn" if request.htmx else "memories/linkmap.html"
    return render(request, template, context, status=200 if form.is_valid() else 422)


def told(space: Space, found: LinkMap) -> Iterator[dict[str, object]]:
    """Yield each mark with its links, in words."""
    links: dict[int, list[tuple[str, Mark, str]]] = defaultdict(list)
    for arc in found.arcs:
        reason = Reason(arc.reason)
        one, other = found.marks[arc.first], found.marks[arc.second]
        links[arc.first].append((str(reason.label), other, memory_url(space, other)))
        links[arc.second].append((reason.label_from_there, one, memory_url(space, one)))
    for place, mark in enumerate(found.marks):
        yield {
            "mark": mark,
            "kind": Kind(mark.kind).label,
            "url": memory_url(space, mark),
            "links": links[place],
        }


def _legend(space: Space, wanted: MapFilter, found: LinkMap) -> list[LegendEntry]:
    return [
        LegendEntry(
            kind=kind.value,
            label=str(kind.label),
            count=found.kinds.get(kind, 0),
            url=_url(space, wanted, kind="" if wanted.kind == kind else kind.value),
            is_chosen=wanted.kind == kind,
        )
        for kind in Kind
    ]


def _width(request: SignedInRequest) -> int:
    """Return the width that the page measured; without a script, that of a desk."""
    asked = request.GET.get("width", "")
    is_number = asked.isascii() and asked.isdigit() and len(asked) <= len(str(WIDE))
    return min(max(int(asked), NARROW), WIDE) if is_number else WIDTH


def _url(space: Space, wanted: MapFilter, *, kind: str | None = None, form: str = "") -> str:
    asked = {
        "path": wanted.path,
        "kind": wanted.kind if kind is None else kind,
        "replaced": "yes" if wanted.has_replaced else "",
        "as": form,
    }
    query = urlencode({name: value for name, value in asked.items() if value})
    address = reverse("memories:map", args=[space.pk])
    return f"{address}?{query}" if query else address
