"""Who has read what, as pages and operators ask for it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import Memory, Way
from memories.queries.logs import place_of
from memories.queries.recalls import (
    PAGE,
    Reads,
    Wanted,
    count_never_read,
    never_read,
    read_by,
    readers_of,
    reads_of,
    reads_of_each,
    recall_page,
    recent_reads,
)
from memories.services.forgetting import forget_memory
from memories.services.recalling import Received, write_reads
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory, make_space

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def read(
    space: Space,
    *memories: Memory,
    ago: timedelta = timedelta(),
    by: str = "Cursor",
    query: str = "",
) -> None:
    received = Received([memory.pk for memory in memories], Way.SEARCHED, query=query)
    agent = agent_of(space, name=by)
    write_reads(space=space, actor=agent, received=received, at=NOW - ago)


def test_a_memory_knows_how_often_by_how_many_and_when(space: Space) -> None:
    memory, other = make_memory(space), make_memory(space, "We ship on Mondays at noon.")
    for hours in (1, 2, 3):
        read(space, memory, ago=timedelta(hours=hours))
    read(space, memory, other, ago=timedelta(hours=5), by="Codex")

    reads = reads_of(space, memory.pk)

    assert reads == Reads(4, 2, NOW - timedelta(hours=1))
    assert reads_of(space, other.pk).times == 1


def test_what_nobody_read_was_read_no_times(space: Space) -> None:
    assert reads_of(space, make_memory(space).pk) == Reads(0, 0, None)


def test_many_memories_are_asked_about_at_once(space: Space) -> None:
    memories = [make_memory(space, f"Fact number {number} holds.") for number in range(20)]
    for memory in memories[:15]:
        read(space, memory)

    with CaptureQueriesContext(connection) as queries:
        reads = reads_of_each(space, [memory.pk for memory in memories])

    assert set(reads) == {memory.pk for memory in memories[:15]}
    assert sum("memories_recall" in each["sql"] for each in queries.captured_queries) == 1


def test_the_newest_reads_of_a_memory_come_first(space: Space) -> None:
    memory, other = make_memory(space), make_memory(space, "We ship on Mondays at noon.")
    for hours in range(12, 0, -1):
        read(space, memory, other, ago=timedelta(hours=hours), query=f"{hours} hours ago")

    lines = recent_reads(space, memory.pk)

    assert [line.query for line in lines] == [f"{hours} hours ago" for hours in range(1, 6)]


def test_the_page_of_a_memory_costs_two_statements_about_reads(space: Space) -> None:
    memory = make_memory(space)
    for hours in range(20):
        read(space, memory, ago=timedelta(hours=hours))

    with CaptureQueriesContext(connection) as queries:
        found = read_by(space, memory.pk)

    assert (found.reads.times, len(found.recent)) == (20, 5)
    assert sum("memories_recall" in each["sql"] for each in queries.captured_queries) == 2


def test_what_holds_and_is_not_new_and_was_not_read_was_never_read(space: Space) -> None:
    old = NOW - timedelta(days=30)
    texts = ("Read in time.", "Forgotten meanwhile.", "Lapsed meanwhile.", "Never read by any.")
    memories = [make_memory(space, f"{text} It is old.") for text in texts]
    fresh = make_memory(space, "It was saved just now, on a Monday.")
    with inside(space):
        Memory.objects.filter(pk__in=[each.pk for each in memories]).update(created_at=old)
        Memory.objects.filter(pk=fresh.pk).update(created_at=NOW)
        Memory.objects.filter(pk=memories[2].pk).update(expires_at=NOW - timedelta(hours=1))
    read(space, memories[0])
    forget_memory(space=space, actor=make_actor(space.owner), memory_id=memories[1].pk)

    with inside(space):
        found = list(never_read(space, now=NOW))

    assert found == [memories[3]]
    assert count_never_read(space, now=NOW) == 1


def test_readers_come_with_the_last_one_first(space: Space) -> None:
    memory = make_memory(space)
    read(space, memory, ago=timedelta(hours=2), by="Cursor")
    read(space, memory, ago=timedelta(hours=3), by="Cursor")
    read(space, memory, ago=timedelta(hours=1), by="Codex")

    readers = readers_of(space)

    assert [(each.name, each.times) for each in readers] == [("Codex", 1), ("Cursor", 2)]


def test_pages_follow_each_other_without_gap_or_repetition(space: Space) -> None:
    memory = make_memory(space)
    for number in range(PAGE + 7):
        read(space, memory, ago=timedelta(minutes=number // 2), query=f"query {number}")

    first = recall_page(space, Wanted())
    second = recall_page(space, Wanted(), after=first.after)

    assert first.after == place_of(first.lines[-1])
    assert (len(first.lines), len(second.lines), second.after) == (PAGE, 7, "")
    assert len({line.query for line in (*first.lines, *second.lines)}) == PAGE + 7


def test_lines_are_filtered_by_client_memory_and_time(space: Space) -> None:
    memory, other = make_memory(space), make_memory(space, "We ship on Mondays at noon.")
    read(space, memory, ago=timedelta(days=3), by="Cursor", query="old")
    read(space, other, ago=timedelta(days=1), by="Cursor", query="other")
    read(space, memory, ago=timedelta(days=1), by="Codex", query="codex")

    def queries(**wanted: object) -> set[str]:
        return {line.query for line in recall_page(space, Wanted(**wanted)).lines}  # type: ignore[arg-type]

    assert queries(client="app:codex") == {"codex"}
    assert queries(memory=memory.pk) == {"old", "codex"}
    assert queries(since=NOW - timedelta(days=2)) == {"other", "codex"}
    assert queries(until=NOW - timedelta(days=2)) == {"old"}


@pytest.mark.parametrize("after", ["nonsense", "_", "2026-01-01T00:00:00_x"])
def test_an_unknown_place_is_the_beginning(space: Space, after: str) -> None:
    read(space, make_memory(space))

    assert len(recall_page(space, Wanted(), after=after).lines) == 1


def test_the_number_of_queries_does_not_grow(space: Space) -> None:
    read(space, make_memory(space))
    with CaptureQueriesContext(connection) as few:
        list(recall_page(space, Wanted()).lines)
    for number in range(20):
        read(space, make_memory(space, f"Fact number {number} holds."))

    with CaptureQueriesContext(connection) as many:
        lines = recall_page(space, Wanted()).lines
        assert all(line.memory.path for line in lines)

    assert len(many) == len(few)


def test_what_was_searched_for_is_not_told_once_it_is_unwanted(space: Space) -> None:
    read(space, make_memory(space), query="private")
    space.keeps_queries = False

    assert recall_page(space, Wanted()).lines[0].query == ""


def test_nothing_is_told_of_another_space(space: Space) -> None:
    other = make_space()
    memory = make_memory(space)
    read(space, memory)

    assert recall_page(other, Wanted()).lines == []
    assert reads_of(other, memory.pk).times == 0
    assert readers_of(other) == []
