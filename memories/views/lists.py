"""The list of what a space remembers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError
from memories.list_filters import ListForm
from memories.queries.finding import Mode
from memories.queries.lists import memory_page
from memories.queries.places import Branch
from memories.queries.standings import Standing
from memories.queries.wanted import Page, Wanted
from memories.views.addresses import chips, list_url
from spaces.access import readable_space
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class Tab:
    """A link to the memories of one standing, with their number where it is known."""

    standing: str
    label: str
    count: int | None
    url: str
    is_open: bool


@login_required
@require_safe
@vary_on_headers("HX-Request")
def memories(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    form = ListForm(request.GET)
    wanted, page = form.wanted, Page()
    part = _part(request, wanted)
    try:
        page = memory_page(space, wanted, rows_only=part == "#rows")
    except DomainError as error:
        form.add_error(None, error.sentence)
    form.offer(page.writers, wanted=wanted)
    context = {
        "space": space,
        "section": "memories",
        "form": form,
        "modes": Mode,
        "wanted": wanted,
        "page": page,
        "tabs": _tabs(space, wanted, page),
        "chips": list(chips(space, wanted, writers=page.writers)),
        "branches": list(_branches(space, wanted, page)),
        "steps": list(_steps(space, wanted)),
        "has_filters": replace(wanted, after="", sort="") != Wanted(),
        "next_url": list_url(space, wanted, after=page.after) if page.after else "",
    }
    status = 422 if form.non_field_errors() else 200
    response = render(request, f"memories/list.html{part}", context, status=status)
    if part == "#found":
        # What a form sends names every field; the address shall name what was chosen.
        response["HX-Push-Url"] = list_url(space, wanted)
    return response


def _part(request: SignedInRequest, wanted: Wanted) -> str:
    """Return which fragment is asked for: the next rows, what was found, or the whole page."""
    if not request.htmx:
        return ""
    return "#rows" if wanted.after else "#found"


def _tabs(space: Space, wanted: Wanted, page: Page) -> list[Tab]:
    return [
        Tab(
            standing=each.value,
            label=str(each.label),
            count=page.counts.get(each),
            url=list_url(space, wanted, standing=each.value),
            is_open=wanted.standing == each,
        )
        for each in Standing
    ]


def _branches(space: Space, wanted: Wanted, page: Page) -> Iterator[tuple[Branch, str]]:
    for branch in page.places.branches:
        yield branch, list_url(space, wanted, path=branch.path)


def _steps(space: Space, wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Yield the way down to the path that is wanted, each step with its address."""
    segments = wanted.path.split(".") if wanted.path else []
    for number, segment in enumerate(segments, 1):
        yield segment, list_url(space, wanted, path=".".join(segments[:number]))
