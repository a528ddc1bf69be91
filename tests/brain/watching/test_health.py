"""Health for load balancers."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from brain.jobs.models import JobRun, JobState
from brain.watching.health import Readiness

pytestmark = pytest.mark.django_db

WELL = {"database": "ok", "broker": "ok", "worker": "ok", "meaning": "on"}


def worked(*, ago: timedelta) -> None:
    at = timezone.now() - ago
    JobRun.objects.create(task_id="1", name="a.b", state=JobState.DONE, started_at=at)


def test_a_process_says_that_it_lives_under_any_host_name(client: Client) -> None:
    answer = client.get("/healthz", headers={"host": "10.1.2.3:8000"})

    assert answer.status_code == 200
    assert answer.json() == {"status": "ok"}


def test_all_is_well_when_a_job_ran_lately(client: Client) -> None:
    worked(ago=timedelta(minutes=2))

    answer = client.get("/readyz", headers={"host": "10.1.2.3:8000"})

    assert answer.status_code == 200
    assert answer.json()["database"] == answer.json()["broker"] == answer.json()["worker"] == "ok"


def test_a_silent_worker_is_named_and_serving_goes_on(client: Client) -> None:
    worked(ago=timedelta(hours=1))

    answer = client.get("/readyz")

    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"
    assert answer.json()["worker"] == "silent"


def test_a_broker_that_is_away_is_named_and_serving_goes_on(
    client: Client, settings: LazySettings
) -> None:
    settings.CACHES = {"default": {"LOCATION": "unix:///nowhere/valkey.sock"}}

    answer = client.get("/readyz")

    assert answer.status_code == 200
    assert answer.json()["broker"] == "down"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, "ready"),
        ({"meaning": "off"}, "ready"),
        ({"meaning": "broken"}, "degraded"),
        ({"worker": "silent"}, "degraded"),
        ({"broker": "down"}, "degraded"),
        ({"database": "down"}, "not_ready"),
    ],
)
def test_only_without_the_database_nothing_can_be_served(
    change: dict[str, str], status: str
) -> None:
    assert Readiness(WELL | change).status == status
