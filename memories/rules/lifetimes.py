"""How long each kind lives, and which dates a caller may set."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from brain.lib.errors import DomainError

EXPIRING = frozenset({"observation", "checkpoint"})


class ExpiryError(DomainError):
    code = "bad_expiry"
    hint = "Use a future date such as 2030-01-31 or 2030-01-31T12:00:00Z."


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long the kinds live that lapse by themselves."""

    observation: timedelta
    checkpoint: timedelta

    def expiry(self, kind: str, *, now: datetime) -> datetime | None:
        """Return when a memory written now lapses, or None when it has no date."""
        if kind not in EXPIRING:
            return None
        return now + (self.observation if kind == "observation" else self.checkpoint)


def chosen_expiry(text: str, *, kind: str, now: datetime) -> datetime:
    """Read a date that a caller chose for a memory of `kind` (ISO 8601; UTC unless it says so).

    A date without a time means the end of that day. Raises ExpiryError for a date that has
    passed, cannot be read, or belongs to a kind that never expires by date.
    """
    if kind not in EXPIRING:
        raise ExpiryError(
            "A %(kind)s never expires by date.",
            kind=kind,
            hint="Leave expires_at out; revise or forget it when it no longer holds.",
        )
    moment = _moment(text)
    if moment <= now:
        raise ExpiryError("expires_at has already passed.")
    return moment


def _moment(text: str) -> datetime:
    return _end_of_day(text.strip()) or _point_in_time(text.strip())


def _end_of_day(text: str) -> datetime | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime.combine(day, time.max, tzinfo=UTC).replace(microsecond=0)


def _point_in_time(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ExpiryError("expires_at is not a date.") from None
