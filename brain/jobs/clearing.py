"""Forget old runs, and say of those that never ended that they are lost."""

from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from brain.jobs.models import JobRun, JobState

BATCH = 5000
BATCHES = 20
# Every job ends within minutes; the broker delivers the message of a lost one again by itself.
LOST_AFTER = timedelta(hours=1)
DONE_FOR = timedelta(days=2)


def clear_runs() -> int:
    """Delete runs past their days, those that went well sooner; return how many."""
    now = timezone.now()
    running = JobRun.objects.filter(state=JobState.RUNNING, started_at__lt=now - LOST_AFTER)
    running.update(state=JobState.LOST)
    kept_for = timedelta(days=settings.JOB_RUN_DAYS)
    done = JobRun.objects.filter(state=JobState.DONE, started_at__lt=now - min(DONE_FOR, kept_for))
    return _delete(done) + _delete(JobRun.objects.filter(started_at__lt=now - kept_for))


def _delete(runs: QuerySet[JobRun]) -> int:
    deleted = 0
    for _ in range(BATCHES):
        some = list(runs.values_list("pk", flat=True)[:BATCH])
        deleted += JobRun.objects.filter(pk__in=some).delete()[0]
        if len(some) < BATCH:
            break
    return deleted
