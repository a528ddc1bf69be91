"""Rows of the project itself."""

from brain.jobs.models import JobRun, JobState

__all__ = ["JobRun", "JobState"]
