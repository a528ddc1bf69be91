"""An import goes on where it stopped, whoever carries it on, and writes nothing twice."""

import io
import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.models import Activity, Memory, Transfer
from memories.queries.search import search
from memories.rules.facts import sha256
from memories.services.transfer.storing import confirm_import, start_import
from memories.services.transfer.tidying import TRIES, tidy_imports
from memories.services.transfer.working import BATCH, go_on
from memories.tasks import go_on_with_import, tidy_imports_everywhere
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_actor, make_memory, make_space
from tests.memories.services.transfer.files import (
    checked,
    comparable,
    exported,
    imported,
    read,
    reloaded,
    written,
)

pytestmark = pytest.mark.django_db
COUNT = 2 * BATCH + 20


@pytest.fixture
def long_file() -> bytes:
    """Return an export of so many memories that no batch holds them."""
    space = make_space()
    make_memory(space, "The first of many facts.")
    file = read(exported(space))
    template = json.dumps(file["memories"][0])
    file["memories"] = [_numbered(json.loads(template), number) for number in range(COUNT)]
    return written(file)


def _numbered(memory: dict[str, Any], number: int) -> dict[str, Any]:
    text = f"Fact number {number} of many."
    memory["id"] = str(uuid4())
    for place in (memory, memory["versions"][0]):
        place |= {"content": text, "content_sha256": sha256(text)}
    return memory


def count(space: Space) -> int:
    with inside(space):
        return Memory.objects.filter(space=space).count()


def test_a_worker_that_stops_after_each_batch_gets_there(space: Space, long_file: bytes) -> None:
    transfer = checked(space, long_file)
    confirm_import(space=space, actor=make_actor(space.owner), transfer_id=transfer.pk)
    counts, percents = [], []
    while go_on(space, transfer.pk, seconds=0):
        counts.append(count(space))
        percents.append(reloaded(transfer).percent)

    assert counts == [BATCH, 2 * BATCH, COUNT]
    assert percents == sorted(percents)
    assert reloaded(transfer).stage == "done"
    with inside(space):
        assert Activity.objects.filter(space=space).count() == COUNT


def test_looking_through_goes_on_where_it_stopped(space: Space, long_file: bytes) -> None:
    transfer = start_import(
        space=space, actor=make_actor(space.owner), file=io.BytesIO(long_file), name="x"
    )
    rounds = 0
    while go_on(space, transfer.pk, seconds=0):
        rounds += 1

    with inside(space):
        assert transfer.items.count() == COUNT
    assert rounds == 3
    assert reloaded(transfer).stage == "ready"


def test_a_batch_is_in_as_a_whole_or_not_at_all(
    space: Space, long_file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    transfer = checked(space, long_file)
    confirm_import(space=space, actor=make_actor(space.owner), transfer_id=transfer.pk)
    go_on(space, transfer.pk, seconds=0)
    # The worker dies when the memories of the batch are written and it is not done with it.
    monkeypatch.setattr(QuerySet, "bulk_update", _die)
    with pytest.raises(KeyboardInterrupt):
        go_on(space, transfer.pk, seconds=0)
    monkeypatch.undo()
    assert count(space) == BATCH

    while go_on(space, transfer.pk):
        pass

    assert count(space) == COUNT
    assert reloaded(transfer).stage == "done"


def test_a_message_that_comes_twice_does_it_once(space: Space, long_file: bytes) -> None:
    transfer = checked(space, long_file)
    confirm_import(space=space, actor=make_actor(space.owner), transfer_id=transfer.pk)
    go_on(space, transfer.pk)
    before = comparable(exported(space))

    assert go_on(space, transfer.pk) is False
    confirm_import(space=space, actor=make_actor(space.owner), transfer_id=transfer.pk)

    assert comparable(exported(space)) == before
    assert reloaded(transfer).stage == "done"


def test_the_jobs_bring_it_in_without_anybody_waiting(
    space: Space, long_file: bytes, eager_jobs: None
) -> None:
    transfer = start_import(
        space=space, actor=make_actor(space.owner), file=io.BytesIO(long_file), name="x"
    )
    go_on_with_import(str(space.pk), str(transfer.pk))
    confirm_import(space=space, actor=make_actor(space.owner), transfer_id=transfer.pk)
    go_on_with_import(str(space.pk), str(transfer.pk))

    assert reloaded(transfer).stage == "done"
    assert count(space) == COUNT


def test_a_lost_worker_is_noticed_and_a_hopeless_import_stopped(
    space: Space, long_file: bytes
) -> None:
    transfer = start_import(
        space=space, actor=make_actor(space.owner), file=io.BytesIO(long_file), name="x"
    )
    assert tidy_imports(space) == []

    found = []
    for minutes in range(3, 3 * (TRIES + 3), 3):
        with time_machine.travel(timezone.now() + timedelta(minutes=minutes)):
            found.append(tidy_imports(space))

    assert found == [[transfer.pk]] * TRIES + [[]] * 2
    assert reloaded(transfer).stage == "failed"
    assert "log" in reloaded(transfer).problem


def test_the_sweep_takes_up_what_stands_still(
    space: Space, long_file: bytes, eager_jobs: None
) -> None:
    transfer = start_import(
        space=space, actor=make_actor(space.owner), file=io.BytesIO(long_file), name="x"
    )

    with time_machine.travel(timezone.now() + timedelta(minutes=3)):
        tidy_imports_everywhere()

    assert reloaded(transfer).stage == "ready"


def test_a_report_goes_after_a_week(space: Space, long_file: bytes) -> None:
    checked(space, long_file)

    with time_machine.travel(timezone.now() + timedelta(days=8)):
        tidy_imports(space)

    with inside(space):
        assert not Transfer.objects.filter(space=space).exists()


def test_a_job_whose_space_is_gone_stops(space: Space) -> None:
    go_on_with_import(str(uuid4()), str(uuid4()))
    go_on_with_import(str(space.pk), str(uuid4()))


def test_what_came_in_is_found_by_word_at_once(space: Space, long_file: bytes) -> None:
    imported(space, long_file)

    found = search(space=space, query="fact number 77")

    assert found.hits[0].memory.content == "Fact number 77 of many."


def test_a_longer_file_costs_a_memory_only_few_statements(space: Space, long_file: bytes) -> None:
    transfer = checked(space, long_file)
    confirm_import(space=space, actor=make_actor(space.owner), transfer_id=transfer.pk)

    with CaptureQueriesContext(connection) as queries:
        go_on(space, transfer.pk)

    assert len(queries) < 3 * COUNT


def _die(*_: object, **__: object) -> None:
    raise KeyboardInterrupt
