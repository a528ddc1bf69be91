"""What one look at the installation found."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    OK = "ok"
    PROBLEM = "problem"
    SKIPPED = "skipped"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; a problem says how to mend it."""

    check: str
    status: Status
    detail: str
    remedy: str = ""

    def __str__(self) -> str:
        """Return the line as people read it."""
        mend = f" -> {self.remedy}" if self.remedy else ""
        return f"{self.status:<8} {self.check}: {self.detail}{mend}"


def ok(check: str, detail: str) -> Finding:
    return Finding(check, Status.OK, detail)


def problem(check: str, detail: str, *, remedy: str) -> Finding:
    return Finding(check, Status.PROBLEM, detail, remedy)


def note(check: str, detail: str, *, remedy: str = "") -> Finding:
    """Return what is no fault, yet should be known."""
    return Finding(check, Status.NOTE, detail, remedy)


def skipped(check: str, detail: str) -> Finding:
    return Finding(check, Status.SKIPPED, detail)
