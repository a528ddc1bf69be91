"""The operators' page about background work."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from brain.jobs.models import JobRun, JobState
from spaces.models import Space
from tests.factories import make_memory, make_user
from tests.operators import operator_browser, verified_browser
from tests.settings import VALKEY

RUNS = "/admin/brain/jobrun/"


@pytest.fixture
def operator(db: None) -> Client:
    return operator_browser("root@example.org")


def make_run(**fields: object) -> JobRun:
    usual = {
        "task_id": str(uuid4()), "name": "memories.tasks.tidy_reads", "state": JobState.FAILED,
        "arguments": {"space_id": str(uuid4())}, "error_class": "OperationalError",
    }  # fmt: skip
    return JobRun.objects.create(**(usual | fields))


def repeat(browser: Client, *runs: JobRun) -> str:
    asked = {"action": "repeat", "_selected_action": [run.pk for run in runs]}
    return browser.post(RUNS, asked, follow=True).text


def test_runs_stand_there_with_how_they_ended(operator: Client) -> None:
    run = make_run(error_line="the database is starting up", space=uuid4())

    page = operator.get(RUNS).text
    one = operator.get(f"{RUNS}{run.pk}/change/").text

    for text in ("tidy_reads", "Failed", "OperationalError", "the database is starting up"):
        assert text in page
    assert str(run.space) in one


def test_runs_of_a_space_are_found_by_its_id(operator: Client) -> None:
    wanted, other = make_run(space=uuid4()), make_run(space=uuid4())

    page = operator.get(RUNS, {"q": str(wanted.space)}).text

    assert f'"field-of_space">{str(wanted.space)[:8]}<' in page
    assert str(other.space)[:8] not in page


def test_the_schedule_says_what_ran_when(operator: Client) -> None:
    make_run(
        name="memories.tasks.look_through_everywhere",
        state=JobState.DONE,
        started_at=timezone.now() - timedelta(hours=3),
    )

    page = operator.get(RUNS).text

    assert "Go through every space; a space with nothing new costs a few index reads." in page
    assert "Delete expired tokens and codes" in page
    assert "6 hours" in page
    assert "late: is the scheduler running?" in page
    assert "Not yet, or longer ago than runs are kept" in page


def test_what_waits_is_counted_when_it_is_asked_for(
    operator: Client, space: Space, settings: Settings
) -> None:
    settings.EMBEDDER = "builtin-use"
    make_memory(space)

    without, counted = operator.get(RUNS).text, operator.get(RUNS, {"waiting": "yes"}).text

    assert "not compared yet" not in without
    assert "1 memory was not compared yet." in counted
    assert "1 memory lacks a vector." in counted


def test_the_page_says_how_much_is_queued(operator: Client) -> None:
    repeat(operator, make_run())

    assert "1 job is queued." in operator.get(RUNS).text


def test_a_failed_job_is_run_again(operator: Client) -> None:
    run = make_run()

    page = repeat(operator, run)

    assert "1 job was queued again." in page
    run.refresh_from_db()
    assert run.repeated_at is not None


def test_what_cannot_be_repeated_is_said(operator: Client) -> None:
    page = repeat(operator, make_run(name="no.such.job"), make_run(arguments=None))

    assert "2 could not be repeated" in page


def test_without_the_broker_the_page_says_so(operator: Client) -> None:
    VALKEY.stop()
    try:
        page, answer = operator.get(RUNS).text, repeat(operator, make_run())
    finally:
        VALKEY.start()

    assert "Nothing is lost" in page
    assert "The broker does not answer." in answer


def test_runs_are_neither_made_nor_changed_nor_deleted(operator: Client) -> None:
    run = make_run()

    assert operator.get(f"{RUNS}add/").status_code == 403
    assert operator.post(f"{RUNS}{run.pk}/change/", {"state": "done"}).status_code == 403
    assert operator.post(f"{RUNS}{run.pk}/delete/", {"post": "yes"}).status_code == 403


def test_staff_who_may_only_look_repeat_nothing(db: None) -> None:
    staff = make_user(is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="view_jobrun"))
    run = make_run()

    page = repeat(verified_browser(staff), run)

    assert "queued again" not in page
    run.refresh_from_db()
    assert run.repeated_at is None


def test_people_stay_out(signed_in: Client) -> None:
    assert signed_in.get(RUNS, follow=True).status_code == 403
