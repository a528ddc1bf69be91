"""Failures that callers are expected to handle, each with a stable code."""

from collections.abc import Callable

# How a sentence is put into the reader's language: rules raise these errors and know no
# framework, so the project sets it when it starts.
translated: Callable[[str], str] = str


class DomainError(Exception):
    """A rule said no: `message` says what happened, `hint` what to do about it.

    Neither ever quotes what the caller sent, so both may be shown and logged. Numbers and names
    come as `values` of `%(name)s` in the message, so that the sentence can be translated.
    """

    code = "domain_error"
    hint = ""

    def __init__(self, message: str, *, hint: str = "", **values: object) -> None:
        self._template, self._values = message, values
        self.message = message % values if values else message
        super().__init__(self.message)
        self.hint = hint or self.hint

    @property
    def sentence(self) -> str:
        """Return message and hint as one text, in the reader's language where there is one."""
        message = translated(self._template)
        if self._values:
            message %= {
                name: translated(value) if isinstance(value, str) else value
                for name, value in self._values.items()
            }
        hint = translated(self.hint) if self.hint else ""
        return " ".join(text for text in (message, hint) if text)


class NotFoundError(DomainError):
    """There is no such thing, or it is not theirs: callers cannot tell which."""

    code = "not_found"


class NotAllowedError(DomainError):
    code = "not_allowed"


class UnavailableError(DomainError):
    """A part of the product that this request needs does not answer."""

    code = "unavailable"
    hint = "Try again in a minute."


class TooLargeError(DomainError):
    """A request has more bytes than its address takes (RFC 9110, 15.5.14)."""

    code = "too_large"


class TooManyError(DomainError):
    """A rate limit was reached; `retry_after` is in seconds (RFC 9110, 10.2.3)."""

    code = "too_many"

    def __init__(self, message: str, *, retry_after: int, hint: str = "") -> None:
        super().__init__(message, hint=hint or f"Try again in {retry_after} seconds.")
        self.retry_after = retry_after
