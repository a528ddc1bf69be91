"""Run a job once more, as an operator asks for it."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone
from kombu.exceptions import OperationalError

from brain.jobs.models import JobRun
from brain.jobs.registry import job
from brain.lib.errors import UnavailableError


@dataclass(frozen=True, slots=True)
class Repeated:
    """How many jobs were queued again, and how many could not be."""

    queued: int
    left: int


def run_again(runs: Iterable[JobRun]) -> Repeated:
    """Queue each job once more with the ids that it had; every job may run twice.

    Raises UnavailableError when the broker does not answer.
    """
    queued = left = 0
    for run in runs:
        task = job(run.name)
        if task is None or run.arguments is None:
            left += 1
            continue
        try:
            task.apply_async(kwargs=run.arguments)
        except (OperationalError, OSError) as error:
            raise UnavailableError("The broker does not answer.") from error
        JobRun.objects.filter(pk=run.pk).update(repeated_at=timezone.now())
        queued += 1
    return Repeated(queued, left)
