"""What `doctor` says about an upgrade before anybody carries it out."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from brain.embedded.folder import DataFolder
from brain.management.diagnosis import upgrade as module
from brain.management.diagnosis.findings import Status
from brain.management.diagnosis.upgrade import upgrade, vectors
from brain.management.owner import as_owner
from memories.embedders import registry
from tests.brain.commands.conftest import by_check
from tests.factories import make_memory, make_space
from tests.memories.meaning import embed_all

LAST = ("memories", "0014_judging")
VECTORS = ("memories", "0007_vector_index")
EARLY = ("memories", "0006_undoing")


@contextmanager
def unapplied(*migrations: tuple[str, str]) -> Iterator[None]:
    """Let the database say that these were never applied."""
    with as_owner(connection):
        for app, name in migrations:
            MigrationRecorder(connection).record_unapplied(app, name)
    try:
        yield
    finally:
        with as_owner(connection):
            for app, name in migrations:
                MigrationRecorder(connection).record_applied(app, name)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_to_be_done_when_the_tables_are_those_of_the_release(
    cluster: DataFolder,
) -> None:
    (found,) = upgrade()

    assert found.status is Status.OK
    assert found.detail == "nothing is to be done: the tables are those of this release"


@pytest.mark.django_db(transaction=True)
def test_what_is_to_be_applied_is_named_with_what_it_does_and_a_backup_comes_first(
    cluster: DataFolder,
) -> None:
    with unapplied(LAST):
        found = by_check(upgrade())

    assert found["upgrade"].detail == "1 to be applied"
    assert found["upgrade"].remedy.startswith("make a backup first (manage.py backup FILE)")
    assert "may go on running" in found["upgrade"].remedy
    told = found["migration memories.0014_judging"].detail
    assert told.startswith("holds the table for a moment: adds judged_version to memories_memory")
    assert "memories_memory has about" in told


@pytest.mark.django_db(transaction=True)
def test_what_makes_calls_wait_wants_a_quiet_hour_when_tables_are_large(
    cluster: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MANY_ROWS", -1)

    with unapplied(VECTORS):
        found = by_check(upgrade())

    assert "at a quiet hour" in found["upgrade"].remedy
    assert "builds the index over vectors" in found["migration memories.0007_vector_index"].detail


@pytest.mark.django_db(transaction=True)
def test_what_breaks_older_processes_wants_them_stopped(cluster: DataFolder) -> None:
    with unapplied(EARLY):
        found = by_check(upgrade())

    assert "every web process and worker of the release before stopped" in found["upgrade"].remedy


@pytest.mark.django_db(transaction=True)
def test_memories_without_a_vector_of_the_active_model_are_counted_over_all_spaces(
    cluster: DataFolder, settings: Settings
) -> None:
    settings.EMBEDDER = settings.DUPLICATES_EMBEDDER = "auto"
    registry.forget_loaded()
    complete = make_space()
    make_memory(complete)
    embed_all(complete)
    (before,) = vectors()
    make_memory(make_space())

    (found,) = vectors()

    registry.forget_loaded()
    assert before.status is Status.OK
    assert found.status is Status.NOTE
    assert found.detail.startswith("1 memory has none of ")
    assert "reembed" in found.remedy


def test_where_nothing_is_yet_nothing_is_to_be_upgraded(empty: DataFolder) -> None:
    found = [*upgrade(), *vectors()]

    assert [str(each) for each in found] == [
        "ok       upgrade: nothing is here yet; the first start makes the tables"
    ]
    assert not empty.root.exists()


def test_a_stopped_database_is_said_to_be_and_not_started(empty: DataFolder) -> None:
    empty.pgdata.mkdir(parents=True)

    (found,) = upgrade()

    assert found.status is Status.SKIPPED
    assert "doctor --upgrade" in found.detail


@pytest.mark.django_db(transaction=True)
def test_only_the_upgrade_is_looked_at_when_that_is_asked(cluster: DataFolder) -> None:
    out = StringIO()

    call_command("doctor", "--upgrade", "--json", stdout=out)

    report = json.loads(out.getvalue())
    assert [each["check"] for each in report["checks"]] == ["upgrade"]
