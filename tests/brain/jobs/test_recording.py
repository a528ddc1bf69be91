"""Every run of every job is written down: how it went, and never what was in it."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from celery import current_app, shared_task
from celery.exceptions import Ignore
from django.db import DataError, IntegrityError, OperationalError, connection

from brain.jobs.models import JobRun, JobState
from memories.tasks import tidy_reads
from spaces.models import Space
from spaces.services.closing import close_space

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _errors_end_where_a_worker_ends_them() -> Iterator[None]:
    current_app.conf.task_eager_propagates = False
    yield
    current_app.conf.task_eager_propagates = True


class ForeignError(Exception):
    """An error of somebody else's, whose text nobody vouches for."""


ForeignError.__module__ = "somebody.elses"


@shared_task(name="tests.fine")
def fine(space_id: str = "", number: int = 0) -> None:
    del space_id, number


@shared_task(name="tests.named")
def named(words: str) -> None:
    del words


@shared_task(name="tests.breaks")
def breaks(kind: str = "") -> None:
    raise {
        "foreign": ForeignError("Ana's plan"),
        "system": OSError(28, "No space left on device"),
        "quoting": DataError('invalid input syntax for type uuid: "Ana\'s plan"\nDETAIL: Ana'),
        "unique": IntegrityError('violates "a_constraint"\nDETAIL:  Key (content)=(Ana) exists.'),
    }[kind]


@shared_task(name="tests.ignores")
def ignores() -> None:
    raise Ignore


@shared_task(
    name="tests.recovers", bind=True, autoretry_for=(OperationalError,), retry_backoff=False,
    default_retry_delay=0, max_retries=3,
)  # fmt: skip
def recovers(self: object, needed: int = 1) -> None:
    if self.request.retries < needed:  # type: ignore[attr-defined]
        raise OperationalError("the database is starting up")


def run(task: object, *args: object, **kwargs: object) -> JobRun:
    """Run the task as a worker does, and return what was written down."""
    result = task.apply(args=args, kwargs=kwargs)  # type: ignore[attr-defined]
    return JobRun.objects.get(pk=result.id)


def test_a_job_that_goes_well_is_written_down_with_its_space() -> None:
    space_id = str(uuid4())

    done = run(fine, space_id)

    assert (done.name, done.state, done.attempts) == ("tests.fine", JobState.DONE, 1)
    assert str(done.space) == space_id
    assert done.arguments == {"space_id": space_id}
    assert done.seconds is not None
    assert done.seconds >= 0
    assert (done.error_class, done.error_line, done.error_place) == ("", "", "")


def test_arguments_come_with_their_names_however_they_were_given() -> None:
    space_id = str(uuid4())

    assert run(fine, space_id, 3).arguments == run(fine, number=3, space_id=space_id).arguments


def test_what_is_no_id_is_not_written_down() -> None:
    done = run(named, "the plan of Ana")

    assert done.arguments is None
    assert done.space is None


@pytest.mark.parametrize(
    ("kind", "error_class", "line"),
    [
        ("foreign", "ForeignError", ""),
        ("system", "OSError", "[Errno 28] No space left on device"),
        ("quoting", "DataError", "invalid input syntax for type uuid: …"),
        ("unique", "IntegrityError", "violates …"),
    ],
)
def test_an_error_says_what_it_is_and_where_but_no_contents(
    kind: str, error_class: str, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    failed = run(breaks, kind)

    assert failed.state == JobState.FAILED
    assert (failed.error_class, failed.error_line) == (error_class, line)
    assert failed.error_place.startswith("tests/brain/jobs/test_recording.py:")
    assert failed.error_place.endswith(" breaks")
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("brain")]
    assert len(ours) == 1
    assert "tests.breaks" in ours[0]
    assert "Ana" not in ours[0]


def test_the_log_of_celery_itself_which_quotes_is_off() -> None:
    import logging  # noqa: PLC0415

    assert not logging.getLogger("celery.app.trace").isEnabledFor(logging.ERROR)


def test_retries_are_one_run_with_its_attempts() -> None:
    done = run(recovers, 2)

    assert (done.state, done.attempts, done.error_class) == (JobState.DONE, 3, "")
    assert JobRun.objects.count() == 1


def test_after_the_last_retry_it_failed() -> None:
    failed = run(recovers, 99)

    assert (failed.state, failed.attempts) == (JobState.FAILED, 4)
    assert failed.error_class == "OperationalError"
    assert failed.error_line == "the database is starting up"


def test_a_job_that_ignores_its_message_is_done() -> None:
    assert run(ignores).state == JobState.DONE


def test_a_second_delivery_is_the_same_run() -> None:
    first = run(fine)

    fine.apply(task_id=first.pk)

    assert JobRun.objects.count() == 1


def test_a_record_that_cannot_be_written_changes_nothing_of_the_job(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError("away")

    with connection.execute_wrapper(refuse):
        result = fine.apply()

    assert result.state == "SUCCESS"
    assert [record.message for record in caplog.records] == [
        "The run of a job was not written down: OperationalError."
    ] * 2


def test_queued_jobs_are_written_down_too(eager_jobs: None, space: Space) -> None:
    tidy_reads.delay(str(space.pk))

    assert JobRun.objects.get(name="memories.tasks.tidy_reads").space == space.pk


def test_the_runs_for_a_space_go_with_it(space: Space) -> None:
    run(fine, str(space.pk))
    kept = run(fine, str(uuid4()))

    close_space(space)

    assert list(JobRun.objects.all()) == [kept]


def test_every_scheduled_job_exists() -> None:
    from django.conf import settings  # noqa: PLC0415

    current_app.loader.import_default_modules()
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}

    assert names <= set(current_app.tasks)
