"""What runs by itself: every how often, and when it last did."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import ngettext

from brain.jobs.models import JobRun
from brain.jobs.registry import job

# Beat counts from the end of what it waited for, and the queue may be busy.
_LEEWAY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One entry of the schedule with the last run of its job, if there was one."""

    name: str
    what_for: str
    every: timedelta
    last: JobRun | None

    @property
    def every_so_often(self) -> str:
        """Return how often it runs, in the largest unit that says it in whole numbers."""
        minutes = int(self.every.total_seconds() // 60)
        if minutes % (24 * 60) == 0:
            days = minutes // (24 * 60)
            return ngettext("%(number)d day", "%(number)d days", days) % {"number": days}
        if minutes % 60 == 0:
            hours = minutes // 60
            return ngettext("%(number)d hour", "%(number)d hours", hours) % {"number": hours}
        return ngettext("%(number)d minute", "%(number)d minutes", minutes) % {"number": minutes}

    def is_late(self, *, now: datetime) -> bool:
        return self.last is not None and now - self.last.started_at > 2 * self.every + _LEEWAY


@dataclass(frozen=True, slots=True)
class ScheduleLine:
    entry: Scheduled
    is_late: bool


def schedule() -> list[ScheduleLine]:
    """Return every entry of the beat schedule, by name of the job."""
    entries: Mapping[str, Mapping[str, object]] = settings.CELERY_BEAT_SCHEDULE
    names = [str(entry["task"]) for entry in entries.values()]
    runs = JobRun.objects.filter(name__in=names).order_by("name", "-started_at").distinct("name")
    last = {run.name: run for run in runs}
    now = timezone.now()
    found = [
        Scheduled(name, _what_for(name), _every(entry), last.get(name))
        for name, entry in zip(names, entries.values(), strict=True)
    ]
    found.sort(key=lambda entry: entry.name)
    return [ScheduleLine(entry, entry.is_late(now=now)) for entry in found]


def _every(entry: Mapping[str, object]) -> timedelta:
    seconds = entry["schedule"]
    assert isinstance(seconds, int | float)
    return timedelta(seconds=seconds)


def _what_for(name: str) -> str:
    """Return the first line of what the job says of itself."""
    task = job(name)
    text = (task.__doc__ or "") if task else ""
    return text.strip().partition("\n")[0]
