"""Request ids, and the refusals of rules as pages."""

import logging
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from brain.lib.errors import DomainError, NotAllowedError, NotFoundError, TooManyError
from brain.lib.errors import UnavailableError as Unavailable

logger = logging.getLogger(__name__)

STATUSES: list[tuple[type[DomainError], int]] = [
    (NotFoundError, 404),
    (NotAllowedError, 403),
    (TooManyError, 429),
    (Unavailable, 503),
]


def status_of(error: DomainError) -> int:
    """Return the HTTP status (RFC 9110) that says the same as the error's class."""
    return next((status for kind, status in STATUSES if isinstance(error, kind)), 422)


class RequestIdMiddleware:
    """Give every answer an id that the log carries too; callers get nothing else of a failure."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.request_id = uuid.uuid4().hex  # type: ignore[attr-defined]
        response = self.get_response(request)
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response


class DomainErrorMiddleware:
    """Turn a refusal that no view presented into a page that says what to do."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, DomainError):
            return None
        response = render(request, "error.html", {"error": error}, status=status_of(error))
        if isinstance(error, TooManyError):
            response["Retry-After"] = str(error.retry_after)
        return response
