"""Old runs go; what never ended is called lost."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from brain.jobs.models import JobRun, JobState
from brain.tasks import clear_job_runs

pytestmark = pytest.mark.django_db


def make_run(name: str, state: JobState, *, ago: timedelta) -> None:
    JobRun.objects.create(task_id=name, name=name, state=state, started_at=timezone.now() - ago)


def states() -> dict[str, str]:
    return dict(JobRun.objects.values_list("name", "state"))


def test_runs_are_kept_for_their_days_and_those_that_went_well_for_two(
    settings: Settings,
) -> None:
    settings.JOB_RUN_DAYS = 14
    make_run("done-yesterday", JobState.DONE, ago=timedelta(days=1))
    make_run("done-earlier", JobState.DONE, ago=timedelta(days=3))
    make_run("failed-earlier", JobState.FAILED, ago=timedelta(days=3))
    make_run("failed-long-ago", JobState.FAILED, ago=timedelta(days=15))

    clear_job_runs()

    assert set(states()) == {"done-yesterday", "failed-earlier"}


def test_fewer_days_count_for_all(settings: Settings) -> None:
    settings.JOB_RUN_DAYS = 1
    make_run("done", JobState.DONE, ago=timedelta(hours=30))
    make_run("failed", JobState.FAILED, ago=timedelta(hours=30))

    clear_job_runs()

    assert states() == {}


def test_what_has_run_for_an_hour_is_lost() -> None:
    make_run("just-begun", JobState.RUNNING, ago=timedelta(minutes=50))
    make_run("of-a-killed-worker", JobState.RUNNING, ago=timedelta(minutes=70))

    clear_job_runs()

    assert states() == {"just-begun": "running", "of-a-killed-worker": "lost"}


def test_large_numbers_go_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brain.jobs.clearing.BATCH", 2)
    for number in range(5):
        make_run(f"old-{number}", JobState.FAILED, ago=timedelta(days=400))

    clear_job_runs()

    assert states() == {}
