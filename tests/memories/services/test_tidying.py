"""The ledger of reads stays small, and says the same as before."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db.models import Sum

from memories.models import Recall, Way
from memories.queries.recalls import reads_of
from memories.services.recalling import Received, write_reads
from memories.services.tidying import clear_queries, purge_reads, roll_up_reads
from memories.tasks import tidy_reads, tidy_reads_everywhere
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import close_space
from spaces.services.creating import SpaceDetails, change_space
from tests.factories import agent_of, make_memory, make_space

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _at_noon() -> "object":
    with time_machine.travel(NOW, tick=False):
        yield


def read(
    space: Space, memory: object, *, ago: timedelta, query: str = "noon", by: str = ""
) -> None:
    agent = agent_of(space, name=by or "Claude Code")
    received = Received([memory.pk], Way.SEARCHED, query=query)  # type: ignore[attr-defined]
    write_reads(space=space, actor=agent, received=received, at=NOW - ago)


def lines(space: Space) -> list[tuple[str, int, bool]]:
    with inside(space):
        rows = Recall.objects.in_space(space).order_by("query", "client_name", "at")
        return [(row.query, row.times, row.day is not None) for row in rows]


def roll_up(space: Space) -> None:
    while roll_up_reads(space):
        pass


def test_what_was_alike_on_a_past_day_becomes_one_line(space: Space) -> None:
    memory = make_memory(space)
    for hours in (40, 41, 42):
        read(space, memory, ago=timedelta(hours=hours))
    read(space, memory, ago=timedelta(hours=42), query="why noon?")
    read(space, memory, ago=timedelta(hours=42), by="Cursor")
    read(space, memory, ago=timedelta(hours=70))

    roll_up(space)

    assert sorted(lines(space)) == [
        ("noon", 1, True), ("noon", 1, True), ("noon", 3, True), ("why noon?", 1, True),
    ]  # fmt: skip


def test_the_last_of_the_day_stays_with_its_moment(space: Space) -> None:
    memory = make_memory(space)
    read(space, memory, ago=timedelta(hours=42))
    read(space, memory, ago=timedelta(hours=40))

    roll_up(space)

    with inside(space):
        line = Recall.objects.in_space(space).get()
    assert line.at == NOW - timedelta(hours=40)
    assert str(line.day) == "2026-11-28"


def test_the_last_days_keep_every_line(space: Space) -> None:
    memory = make_memory(space)
    read(space, memory, ago=timedelta(hours=1))
    read(space, memory, ago=timedelta(hours=30))
    read(space, memory, ago=timedelta(hours=31))

    roll_up(space)

    assert lines(space) == [("noon", 1, False)] * 3


def test_a_roll_up_changes_no_count_and_may_run_twice(space: Space) -> None:
    memory = make_memory(space)
    for hours in range(0, 200, 5):
        read(space, memory, ago=timedelta(hours=hours), by="Cursor" if hours % 2 else "")
    before = reads_of(space, memory.pk)

    roll_up(space)
    once = lines(space)
    roll_up(space)

    assert lines(space) == once
    assert reads_of(space, memory.pk) == before
    assert before.times == 40


def test_a_line_that_comes_late_joins_its_day(space: Space) -> None:
    memory = make_memory(space)
    read(space, memory, ago=timedelta(hours=42))
    read(space, memory, ago=timedelta(hours=41))
    roll_up(space)
    read(space, memory, ago=timedelta(hours=40))

    roll_up(space)

    assert lines(space) == [("noon", 3, True)]


def test_old_lines_go(space: Space) -> None:
    memory = make_memory(space)
    read(space, memory, ago=timedelta(days=91), query="old")
    read(space, memory, ago=timedelta(days=89), query="young")

    has_more = purge_reads(space)

    assert has_more is False
    assert lines(space) == [("young", 1, False)]


def test_queries_go_once_the_person_wants_none(space: Space) -> None:
    memory = make_memory(space)
    read(space, memory, ago=timedelta(hours=1), query="private")
    clear_queries(space)
    kept = lines(space)

    change_space(space=space, details=SpaceDetails(space.name, keeps_queries=False))
    clear_queries(space)

    assert kept == [("private", 1, False)]
    assert lines(space) == [("", 1, False)]


def test_switching_queries_off_clears_them_at_once(
    eager_jobs: None, django_capture_on_commit_callbacks: "object", space: Space
) -> None:
    from memories.services.queueing import ask_for_tidying  # noqa: PLC0415

    memory = make_memory(space)
    read(space, memory, ago=timedelta(hours=1), query="private")
    space.keeps_queries = False
    space.save()

    ask_for_tidying(space)
    tidy_reads(str(space.pk))

    assert lines(space) == [("", 1, False)]


def test_the_job_goes_through_every_space(eager_jobs: None) -> None:
    spaces = [make_space() for _ in range(2)]
    for space in spaces:
        memory = make_memory(space)
        for hours in (48, 49, 95 * 24):
            read(space, memory, ago=timedelta(hours=hours))

    tidy_reads_everywhere()

    for space in spaces:
        with inside(space):
            found = Recall.objects.in_space(space).aggregate(times=Sum("times"))
        assert found["times"] == 2
        assert all(is_rolled for *_, is_rolled in lines(space))


def test_a_space_that_is_gone_is_no_complaint(space: Space) -> None:
    key = str(space.pk)
    close_space(space)

    tidy_reads(key)
