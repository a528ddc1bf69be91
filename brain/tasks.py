"""Background doors of the project itself."""

from celery import shared_task
from django.db import InterfaceError, OperationalError


@shared_task(autoretry_for=(InterfaceError, OperationalError), retry_backoff=True, max_retries=3)
def clear_job_runs() -> None:
    """Forget what became of jobs long ago."""
    from brain.jobs.clearing import clear_runs  # noqa: PLC0415

    clear_runs()
