"""Failures that callers are expected to handle, each with a stable code."""


class DomainError(Exception):
    """A rule said no: `message` says what happened, `hint` what to do about it.

    Neither ever quotes what the caller sent, so both may be shown and logged.
    """

    code = "domain_error"
    hint = ""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or self.hint

    @property
    def sentence(self) -> str:
        """Return message and hint as one text, for doors that show only one."""
        return f"{self.message} {self.hint}".strip()


class NotFoundError(DomainError):
    """There is no such thing, or it is not theirs: callers cannot tell which."""

    code = "not_found"


class NotAllowedError(DomainError):
    code = "not_allowed"


class UnavailableError(DomainError):
    """A part of the product that this request needs does not answer."""

    code = "unavailable"
    hint = "Try again in a minute."


class TooManyError(DomainError):
    """A rate limit was reached; `retry_after` is in seconds (RFC 9110, 10.2.3)."""

    code = "too_many"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message, hint=f"Try again in {_in_words(retry_after)}.")
        self.retry_after = retry_after


def _in_words(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return f"{seconds} seconds" if seconds < 60 else f"{minutes} minute{'s' * (minutes > 1)}"  # noqa: PLR2004
