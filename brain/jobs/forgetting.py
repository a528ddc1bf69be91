"""What becomes of the runs for a space that is deleted."""

from brain.jobs.models import JobRun
from spaces.models import Space


def forget_runs(space: Space) -> None:
    JobRun.objects.filter(space=space.pk).delete()
