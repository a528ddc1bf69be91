"""What operators see of the project itself."""

from brain.jobs.admin import JobRunAdmin

__all__ = ["JobRunAdmin"]
