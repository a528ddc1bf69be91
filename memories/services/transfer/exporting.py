"""Write a space into a file, as it was at one moment."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from memories.models import Activity, Memory, MemoryLink, ReviewItem
from memories.rules.transfer import FORMAT, Record
from memories.services.transfer.records import (
    event_record,
    link_record,
    memory_record,
    review_record,
    space_record,
    with_history,
)
from spaces.isolation import inside
from spaces.models import Space

# Rows that are in memory at once.
BATCH = 200


def write_space(space: Space, out: IO[bytes], *, has_events: bool = False) -> None:
    """Write everything that the space remembers, in one order whatever the database does.

    One record a line, so that two exports can be compared. No tokens, no vectors.
    """
    with as_of_now(), inside(space):
        for line in _lines(space, has_events=has_events):
            out.write(line.encode())


@contextmanager
def as_of_now() -> Iterator[None]:
    """Run a transaction that sees one moment, however long it lasts, and changes nothing."""
    if connection.in_atomic_block:
        # Somebody else's transaction: its moment is theirs.
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set transaction isolation level repeatable read, read only")
        yield


def _lines(space: Space, *, has_events: bool) -> Iterator[str]:
    head = {"format": FORMAT, "exported_at": _now(), "origin": settings.PUBLIC_URL}
    yield "{"
    for name, value in head.items():
        yield f"{json.dumps(name)}:{json.dumps(value)},\n"
    yield f'"space":{_json(space_record(space))},\n'
    yield from _section("memories", _memories(space))
    yield ",\n"
    links = MemoryLink.objects.in_space(space).order_by("first_id", "second_id", "reason")
    yield from _section("links", map(link_record, links.iterator(BATCH)))
    yield ",\n"
    items = ReviewItem.objects.in_space(space).order_by("pk")
    yield from _section("reviews", map(review_record, items.iterator(BATCH)))
    if has_events:
        yield ",\n"
        lines = Activity.objects.filter(space=space).order_by("at", "pk")
        yield from _section("events", map(event_record, lines.iterator(BATCH)))
    yield "}\n"


def _section(name: str, records: Iterable[Record]) -> Iterator[str]:
    yield f'"{name}":['
    is_first = True
    for record in records:
        yield f"{'' if is_first else ','}\n{_json(record)}"
        is_first = False
    yield "\n]"


def _memories(space: Space) -> Iterator[Record]:
    memories = with_history(Memory.objects.in_space(space).order_by("pk"))
    yield from map(memory_record, memories.iterator(BATCH))


def _json(record: Record) -> str:
    return record.model_dump_json()


def _now() -> str:
    return timezone.now().isoformat().replace("+00:00", "Z")
