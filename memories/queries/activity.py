"""Who did what, when, from which app: in pages, or in batches."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, QuerySet

from memories.models import Activity, Undoing
from memories.queries.logs import behind, in_time, place_of, with_previews
from spaces.isolation import inside
from spaces.models import Space

PAGE = 25
BATCH = 500
PERSON = "you"
MOST_APPS = 100


@dataclass(frozen=True, slots=True)
class Lines:
    """Which lines are wanted; an empty field lets everything through.

    `app` is the client key of an app, or PERSON; `until` is not included.
    """

    app: str = ""
    verb: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class App:
    """An app that did something here, under the name that it used last."""

    key: str
    name: str
    last_at: datetime
    lines: int


@dataclass(frozen=True, slots=True)
class ActivityPage:
    """`after` names the place where the next page begins, if there is one."""

    lines: Sequence[Activity] = ()
    after: str = ""
    apps: Sequence[App] = ()
    undoings: Sequence[Undoing] = ()


def activity_page(space: Space, wanted: Lines, *, after: str = "") -> ActivityPage:
    with inside(space):
        found = list(_newest(space, wanted, after=after)[: PAGE + 1])
        return ActivityPage(
            lines=found[:PAGE],
            after=place_of(found[PAGE - 1]) if len(found) > PAGE else "",
            apps=apps_of(space),
            undoings=list(
                Undoing.objects.in_space(space).filter(undone_by=None).select_related("undoes")[:3]
            ),
        )


def batch_after(space: Space, wanted: Lines, *, after: str) -> list[Activity]:
    """Return the lines from a place on; each batch is a short transaction of its own."""
    with inside(space):
        return list(_newest(space, wanted, after=after)[:BATCH])


def apps_of(space: Space) -> list[App]:
    """Return the apps that did something in the space, the last one first."""
    with inside(space):
        rows = (
            Activity.objects.filter(space=space)
            .exclude(client_key="")
            .values("client_key")
            .annotate(last_at=Max("at"), lines=Count("pk"), name=Max("client_name"))
            .order_by("-last_at")[:MOST_APPS]
        )
        return [
            App(row["client_key"], row["name"] or row["client_key"], row["last_at"], row["lines"])
            for row in rows
        ]


def _newest(space: Space, wanted: Lines, *, after: str) -> QuerySet[Activity]:
    lines: QuerySet[Activity] = Activity.objects.in_space(space).select_related("memory", "undoing")
    lines = with_previews(lines)
    if wanted.app == PERSON:
        lines = lines.filter(is_agent=False)
    elif wanted.app:
        lines = lines.filter(client_key=wanted.app)
    if wanted.verb:
        lines = lines.filter(verb=wanted.verb)
    lines = in_time(lines, since=wanted.since, until=wanted.until)
    return behind(lines, after=after)
