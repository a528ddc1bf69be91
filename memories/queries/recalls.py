"""Who has read what: of one memory, of many, and the whole ledger in pages or batches.

The ledger goes back `settings.RECALL_DAYS`; "never read" means: not in that time.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Sum

from memories.models import Memory, Recall
from memories.queries.logs import behind, in_time, place_of, with_previews
from spaces.isolation import inside
from spaces.models import Space

PAGE = 25
BATCH = 500
MOST_READERS = 100
MOST_RECENT = 5
# Nobody had much of a chance to read what is younger.
NEW_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Reads:
    """How often a memory was read, by how many clients, and when last."""

    times: int = 0
    clients: int = 0
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReadBy:
    """What the page of a memory says about its readers."""

    reads: Reads
    recent: Sequence[Recall]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which reads are wanted; an empty field lets everything through.

    `client` is a client key, `memory` an id; `until` is not included.
    """

    client: str = ""
    memory: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """A client that has read something here, under the name that it used last."""

    key: str
    name: str
    last_at: datetime
    times: int


@dataclass(frozen=True, slots=True)
class RecallPage:
    """`after` names the place where the next page begins, if there is one."""

    lines: Sequence[Recall] = ()
    after: str = ""
    readers: Sequence[Reader] = ()


def reads_of(space: Space, memory_id: UUID) -> Reads:
    """Return how often one memory was read; all zero when it never was."""
    return reads_of_each(space, [memory_id]).get(memory_id, Reads())


def reads_of_each(space: Space, memory_ids: Collection[UUID]) -> Mapping[UUID, Reads]:
    """Return the reads of those of the memories that were read, in one query."""
    with inside(space):
        rows = (
            Recall.objects.in_space(space)
            .filter(memory__in=memory_ids)
            .values("memory_id")
            .annotate(
                count=Sum("times"), clients=Count("client_key", distinct=True), last_at=Max("at")
            )
        )
        return {
            row["memory_id"]: Reads(row["count"], row["clients"], row["last_at"]) for row in rows
        }


def recent_reads(space: Space, memory_id: UUID, *, limit: int = MOST_RECENT) -> list[Recall]:
    """Return the newest lines about one memory."""
    with inside(space):
        return _told(space, _newest(space, Wanted(memory=memory_id))[:limit])


def read_by(space: Space, memory_id: UUID) -> ReadBy:
    """Return how often one memory was read, with the newest lines about it."""
    with inside(space):
        return ReadBy(reads_of(space, memory_id), recent_reads(space, memory_id))


def never_read(space: Space, *, now: datetime) -> QuerySet[Memory]:
    """Return the memories that hold, are not new, and that nobody read; evaluate it inside."""
    read = Recall.objects.filter(space=space, memory=OuterRef("pk"))
    live = Memory.objects.in_space(space).live(now=now).filter(created_at__lte=now - NEW_FOR)
    return live.filter(~Exists(read))


def count_never_read(space: Space, *, now: datetime) -> int:
    with inside(space):
        return never_read(space, now=now).count()


def readers_of(space: Space) -> list[Reader]:
    """Return the clients that have read something in the space, the last one first."""
    with inside(space):
        rows = (
            Recall.objects.in_space(space)
            .values("client_key")
            .annotate(last_at=Max("at"), count=Sum("times"), name=Max("client_name"))
            .order_by("-last_at")[:MOST_READERS]
        )
        return [
            Reader(
                row["client_key"], row["name"] or row["client_key"], row["last_at"], row["count"]
            )
            for row in rows
        ]


def recall_page(space: Space, wanted: Wanted, *, after: str = "") -> RecallPage:
    with inside(space):
        found = _told(space, _newest(space, wanted, after=after)[: PAGE + 1])
        return RecallPage(
            lines=found[:PAGE],
            after=place_of(found[PAGE - 1]) if len(found) > PAGE else "",
            readers=readers_of(space),
        )


def recalls_after(space: Space, wanted: Wanted, *, after: str) -> list[Recall]:
    """Return the lines from a place on; each batch is a short transaction of its own."""
    with inside(space):
        return _told(space, _newest(space, wanted, after=after)[:BATCH])


def _told(space: Space, lines: QuerySet[Recall]) -> list[Recall]:
    """Return the lines; without what was searched for once the space no longer keeps that."""
    found = list(lines)
    if not space.keeps_queries:
        # A job clears what was noted before; nobody sees it until then.
        for line in found:
            line.query = ""
    return found


def _newest(space: Space, wanted: Wanted, *, after: str = "") -> QuerySet[Recall]:
    lines: QuerySet[Recall] = Recall.objects.in_space(space).newest_first()
    lines = lines.select_related("memory")
    lines = with_previews(lines)
    if wanted.client:
        lines = lines.filter(client_key=wanted.client)
    if wanted.memory:
        lines = lines.filter(memory=wanted.memory)
    lines = in_time(lines, since=wanted.since, until=wanted.until)
    return behind(lines, after=after)
