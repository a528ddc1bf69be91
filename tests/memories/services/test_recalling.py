"""The ledger of reads: what is written, and what never is."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actors import Actor
from memories.models import Memory, Recall, Way
from memories.services import recalling
from memories.services.recalling import Received, note_reads, write_reads
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import close_space
from tests.factories import agent_of, make_memory, make_space

NOW = timezone.now().replace(microsecond=0)


def lines_of(space: Space) -> list[Recall]:
    with inside(space):
        return list(Recall.objects.in_space(space).order_by("id"))


def write(space: Space, *memories: Memory, query: str = "", **fields: object) -> None:
    received = Received([memory.pk for memory in memories], Way.SEARCHED, query=query)
    write_reads(space=space, actor=agent_of(space), received=received, at=NOW)


def test_each_memory_of_an_answer_gets_its_line_in_one_statement(
    space: Space, agent: Actor
) -> None:
    memories = [make_memory(space, f"The {name} train leaves at noon.") for name in ("red", "blue")]

    with CaptureQueriesContext(
        connection,
    ) as queries:
        write(space, *memories, query="when does the train leave?")

    assert [line.memory_id for line in lines_of(space)] == [memory.pk for memory in memories]
    line = lines_of(space)[0]
    assert (line.client_name, line.client_key) == (agent.client_name, agent.client_key)
    assert (line.way, line.query, line.at, line.times) == (
        "searched", "when does the train leave?", NOW, 1,
    )  # fmt: skip
    assert sum("INSERT" in each["sql"] for each in queries.captured_queries) == 1


def test_a_memory_is_noted_once_for_an_answer(space: Space) -> None:
    memory = make_memory(space)

    write(space, memory, memory)

    assert len(lines_of(space)) == 1


def test_being_read_changes_nothing_of_the_memory(space: Space) -> None:
    memory = make_memory(space)
    with inside(space):
        before = Memory.objects.filter(pk=memory.pk).values().get()

    write(space, memory)

    with inside(space):
        assert Memory.objects.filter(pk=memory.pk).values().get() == before


def test_a_secret_in_the_query_is_not_kept(space: Space) -> None:
    secret = "ghp_" + "a1B2" * 9

    write(space, make_memory(space), query=f"why is {secret} refused?")

    query = lines_of(space)[0].query
    assert secret not in query
    assert query.startswith("why is ")


def test_personal_data_goes_too_where_the_space_wants_it(space: Space) -> None:
    space.auto_redact_pii = True

    write(space, make_memory(space), query="what did ana.lima@example.org say?")

    assert "ana.lima" not in lines_of(space)[0].query


def test_a_query_is_kept_as_one_bounded_line(space: Space) -> None:
    write(space, make_memory(space), query="one\ntwo\x00 \u202ethree " + "x" * 5000)

    query = lines_of(space)[0].query
    assert query.startswith("one two three x")
    assert len(query) == 500


def test_without_the_persons_leave_no_query_is_kept(space: Space) -> None:
    space.keeps_queries = False

    write(space, make_memory(space), query="who likes noon?")

    assert lines_of(space)[0].query == ""


@pytest.mark.django_db(transaction=True)
def test_another_thread_writes_after_the_commit() -> None:
    space = make_space()
    received = Received([make_memory(space).pk], Way.RESUMED)

    note_reads(space=space, actor=agent_of(space), received=received)

    assert recalling.flush()
    (line,) = lines_of(space)
    assert line.way == "resumed"
    assert timedelta(0) <= timezone.now() - line.at < timedelta(minutes=5)


@pytest.mark.django_db(transaction=True)
def test_an_answer_without_memories_writes_nothing() -> None:
    space = make_space()

    note_reads(space=space, actor=agent_of(space), received=Received([], Way.SEARCHED))

    assert recalling.flush()
    assert lines_of(space) == []


@pytest.mark.django_db(transaction=True)
def test_a_space_that_was_deleted_meanwhile_is_no_complaint(
    caplog: pytest.LogCaptureFixture,
) -> None:
    space = make_space()
    agent, memory = agent_of(space), make_memory(space)
    deleted = Space.objects.get(pk=space.pk)
    close_space(deleted)

    note_reads(space=space, actor=agent, received=Received([memory.pk], Way.SEARCHED))

    assert recalling.flush()
    assert caplog.records == []
    assert lines_of(space) == []
