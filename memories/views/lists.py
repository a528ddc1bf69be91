"""The list of what a space remembers."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError
from memories.forms import ListForm
from memories.queries.lists import Page, Standing, Wanted, memory_page
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
def memories(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    form = ListForm(request.GET)
    wanted, page = form.wanted, Page()
    try:
        page = memory_page(space, wanted)
    except DomainError as error:
        form.add_error(None, error.sentence)
    context = {
        "space": space,
        "section": "memories",
        "form": form,
        "wanted": wanted,
        "page": page,
        "tabs": _tabs(space, wanted, page),
        "has_filters": replace(wanted, after="") != Wanted(),
        "next_url": _url(space, wanted, after=page.after) if page.after else "",
    }
    status = 422 if form.non_field_errors() else 200
    return render(request, f"memories/list.html{_part(request, wanted)}", context, status=status)


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
            url=_url(space, wanted, state=each.value),
            is_open=wanted.standing == each,
        )
        for each in Standing
    ]


def _url(space: Space, wanted: Wanted, *, state: str = "", after: str = "") -> str:
    asked = {
        "q": wanted.query,
        "state": state or wanted.standing,
        "kind": wanted.kind,
        "author": wanted.author,
        "path": wanted.path,
        "after": after,
    }
    if asked["state"] == Standing.ACTIVE:
        asked["state"] = ""
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"{space.get_absolute_url()}?{query}" if query else space.get_absolute_url()
