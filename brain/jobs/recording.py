"""Write down every run of every job, through Celery's signals.

A record that cannot be written changes nothing of the job.
"""

import inspect
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec
from uuid import UUID

from celery import Task, states
from celery.signals import task_failure, task_postrun, task_prerun, task_retry
from django.db import Error as DatabaseError
from django.utils import timezone

from brain.jobs.errors import Mishap, mishap
from brain.jobs.models import JobRun, JobState

logger = logging.getLogger(__name__)
P = ParamSpec("P")
AnyTask = Task[..., object]
_BEGAN = "brain_began"

_STATES = {
    states.SUCCESS: JobState.DONE,
    states.IGNORED: JobState.DONE,
    states.RETRY: JobState.RETRYING,
    states.REJECTED: JobState.RETRYING,
}


def _quietly(record: Callable[P, None]) -> Callable[P, None]:
    @wraps(record)
    def recorded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            record(*args, **kwargs)
        except DatabaseError as error:
            logger.warning("The run of a job was not written down: %s.", type(error).__name__)

    return recorded


@task_prerun.connect(dispatch_uid="job-starts")
@_quietly
def note_start(
    task_id: str, task: AnyTask, args: Sequence[object], kwargs: Mapping[str, object], **_: object
) -> None:
    """Note that a job starts, or starts again."""
    # Celery hands the same object to whoever notes the end.
    setattr(task.request, _BEGAN, time.monotonic())
    arguments = _named(task, args, kwargs)
    run = JobRun(
        task_id=task_id,
        name=task.name,
        space=_space(arguments),
        arguments=arguments if _are_ids(arguments) else None,
        state=JobState.RUNNING,
        attempts=task.request.retries + 1,
        started_at=timezone.now(),
    )
    # A retry and a second delivery come with the id of the first.
    JobRun.objects.bulk_create(
        [run],
        update_conflicts=True,
        unique_fields=["task_id"],
        update_fields=["state", "attempts", "started_at"],
    )


@task_postrun.connect(dispatch_uid="job-ends")
@_quietly
def note_end(task_id: str, task: AnyTask, state: str | None, **_: object) -> None:
    """Note how a job ended, and how long it took."""
    began = getattr(task.request, _BEGAN, None)
    ended = {
        "state": _STATES.get(state or "", JobState.FAILED),
        "seconds": round(time.monotonic() - began, 3) if began else None,
    }
    if state == states.SUCCESS:
        ended |= {"error_class": "", "error_line": "", "error_place": ""}
    JobRun.objects.filter(task_id=task_id).update(**ended)


@task_retry.connect(dispatch_uid="job-is-retried")
@_quietly
def note_retry(request: Any, reason: object, **_: object) -> None:
    """Note why a job is tried again."""
    error = getattr(reason, "exc", None) or reason
    if isinstance(error, BaseException):
        _note_error(str(request.id), mishap(error))


@task_failure.connect(dispatch_uid="job-fails")
@_quietly
def note_failure(task_id: str, exception: BaseException, sender: AnyTask, **_: object) -> None:
    """Note why a job failed for good, and say so in the log; its text may quote a row."""
    what = mishap(exception)
    logger.error(
        "The job %s (%s) failed after %d attempts with %s at %s. An operator can run it again.",
        sender.name,
        task_id,
        sender.request.retries + 1,
        what.error_class,
        what.place,
    )
    _note_error(task_id, what)


def _note_error(task_id: str, what: Mishap) -> None:
    JobRun.objects.filter(task_id=task_id).update(
        error_class=what.error_class, error_line=what.line, error_place=what.place
    )


def _named(
    task: AnyTask, args: Sequence[object], kwargs: Mapping[str, object]
) -> dict[str, object]:
    """Return the arguments by the names that the job gives them."""
    try:
        return dict(inspect.signature(task.run).bind(*args, **kwargs).arguments)
    except TypeError:
        return {str(number): each for number, each in enumerate(args)} | dict(kwargs)


def _are_ids(arguments: Mapping[str, object]) -> bool:
    return all(
        each is None or isinstance(each, bool | int) or as_uuid(each) is not None
        for each in arguments.values()
    )


def _space(arguments: Mapping[str, object]) -> UUID | None:
    return as_uuid(arguments.get("space_id"))


def as_uuid(value: object) -> UUID | None:
    """Return the id that the value is or spells."""
    try:
        return UUID(str(value))
    except ValueError:
        return None
