"""One run of one background job, for operators; no contents, only ids."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class JobState(models.TextChoices):
    RUNNING = "running", _("Running")
    RETRYING = "retrying", _("Will be tried again")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    LOST = "lost", _("Lost with its worker")


class JobRunQuerySet(models.QuerySet["JobRun"]):
    def ended_badly(self) -> "JobRunQuerySet":
        return self.filter(state__in=[JobState.FAILED, JobState.LOST])


class JobRun(models.Model):
    """One job with one id; a retry and a second delivery are the same run.

    `space` is no foreign key and not named `space_id` on purpose: operators see the runs of all
    spaces, and a run may outlive its space for a moment.
    """

    task_id = models.CharField(_("id"), primary_key=True, max_length=155)
    name = models.CharField(_("job"), max_length=155)
    space = models.UUIDField(_("space"), null=True, blank=True)
    # What it was called with, as far as these are ids; null when it cannot be repeated.
    arguments = models.JSONField(_("arguments"), default=dict, null=True, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=JobState.choices)
    attempts = models.PositiveIntegerField(_("attempts"), default=1)
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    seconds = models.FloatField(_("seconds"), null=True, blank=True)
    error_class = models.CharField(_("error"), max_length=100, blank=True)
    error_line = models.CharField(_("what it said"), max_length=300, blank=True)
    error_place = models.CharField(_("where"), max_length=200, blank=True)
    repeated_at = models.DateTimeField(_("run again"), null=True, blank=True)

    objects: ClassVar[JobRunQuerySet] = JobRunQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("job run")
        verbose_name_plural = _("job runs")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=JobState.values), name="job_state_is_known"
            ),
        ]
        indexes = [
            models.Index(fields=["name", "-started_at"], name="runs_of_a_job"),
            models.Index(fields=["state", "-started_at"], name="runs_in_a_state"),
            models.Index(fields=["-started_at"], name="runs_newest_first"),
            models.Index(
                fields=["space"], condition=models.Q(space__isnull=False), name="runs_for_a_space"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.task_id}"
