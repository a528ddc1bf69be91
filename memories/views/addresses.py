"""The address of every list that can be asked for: what is usual does not stand in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.utils.translation import gettext

from memories.models import Author, Kind
from memories.queries.concerns import Concern
from memories.queries.finding import Mode
from memories.queries.places import Writer
from memories.queries.standings import Standing
from memories.queries.wanted import Wanted
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class Chip:
    """One filter that holds, and the address of the same list without it."""

    label: str
    value: str
    url: str


def list_url(space: Space, wanted: Wanted, **changes: str) -> str:
    """Return the address of what is wanted, changed like this; another list begins at its start."""
    wanted = replace(wanted, **({"after": ""} | changes))
    asked = {
        "q": wanted.query,
        "mode": "" if wanted.mode == Mode.MEANING else wanted.mode,
        "state": "" if wanted.standing == Standing.ACTIVE else wanted.standing,
        "kind": wanted.kind,
        "author": wanted.author,
        "client": wanted.client,
        "path": wanted.path,
        "only": wanted.only,
        "sort": wanted.sort,
        "after": wanted.after,
    }
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"{space.get_absolute_url()}?{query}" if query else space.get_absolute_url()


def chips(space: Space, wanted: Wanted, *, writers: Sequence[Writer]) -> Iterator[Chip]:
    """Yield the filters that hold, each with the way to be rid of it."""
    names = {writer.key: writer.name for writer in writers}
    if wanted.query:
        yield Chip(gettext("Search"), wanted.query, list_url(space, wanted, query=""))
    if wanted.kind:
        yield Chip(gettext("Kind"), str(Kind(wanted.kind).label), list_url(space, wanted, kind=""))
    if wanted.author:
        label = str(Author(wanted.author).label)
        yield Chip(gettext("Written by"), label, list_url(space, wanted, author=""))
    if wanted.client:
        name = names.get(wanted.client, wanted.client)
        yield Chip(gettext("App"), name, list_url(space, wanted, client=""))
    if wanted.only:
        label = str(Concern(wanted.only).label)
        yield Chip(gettext("Only"), label, list_url(space, wanted, only=""))
    if wanted.path:
        yield Chip(gettext("Path"), wanted.path, list_url(space, wanted, path=""))
