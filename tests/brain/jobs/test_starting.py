"""What a worker does before it takes its first job."""

import pytest
from celery import current_app
from django.db import connection
from pytest_django.fixtures import Settings

from brain.jobs.starting import FIRST, bound, sweep_first
from tests.settings import VALKEY


def test_a_worker_begins_with_the_sweeps() -> None:
    sweep_first()

    assert VALKEY.ask("LLEN celery").strip() == f":{len(FIRST)}"


def test_the_sweeps_are_jobs() -> None:
    current_app.loader.import_default_modules()

    assert set(FIRST) <= set(current_app.tasks)


def test_without_the_broker_a_worker_starts_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    VALKEY.stop()
    try:
        sweep_first()
    finally:
        VALKEY.start()

    assert {record.message for record in caplog.records if record.name.startswith("brain")} == {
        "The first sweep was not queued: OperationalError."
    }


@pytest.mark.django_db
def test_no_statement_of_a_worker_runs_for_ever(settings: Settings) -> None:
    settings.CELERY_TASK_TIME_LIMIT = 600

    bound(connection)

    with connection.cursor() as cursor:
        cursor.execute("select current_setting('statement_timeout')")
        assert cursor.fetchone() == ("10min",)
