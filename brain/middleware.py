"""Request ids, and the refusals of rules as pages."""

import logging
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from accounts.http import caller_network
from accounts.models import User
from brain.bodies import CUT_OFF, too_large
from brain.lib.errors import (
    DomainError,
    NotAllowedError,
    NotFoundError,
    TooLargeError,
    TooManyError,
)
from brain.lib.errors import UnavailableError as Unavailable
from brain.lib.problems import refused
from brain.lib.rate_limits import Count, admit
from brain.lib.sanitising.unseen import with_hidden_shown
from brain.watching.logs import logged_as

logger = logging.getLogger(__name__)

STATUSES: list[tuple[type[DomainError], int]] = [
    (NotFoundError, 404),
    (NotAllowedError, 403),
    (TooLargeError, 413),
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
        with logged_as(request.request_id):  # type: ignore[attr-defined]
            response = self.get_response(request)
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response


# What no page here needs; an empty list forbids it to the page and to whatever it would embed.
_PERMISSIONS = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media",
    "fullscreen", "geolocation", "gyroscope", "hid", "identity-credentials-get", "idle-detection",
    "local-fonts", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "publickey-credentials-get", "screen-wake-lock", "serial", "usb",
    "xr-spatial-tracking",
)  # fmt: skip


class HeadersMiddleware:
    """Say what Django's own middleware does not: which abilities no page has, and what is private.

    What a signed-in person sees is kept by no cache on the way, and asked for again by theirs.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._permissions = ", ".join(f"{name}=()" for name in _PERMISSIONS)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", self._permissions)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if isinstance(getattr(request, "user", None), User):
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


class SeenMiddleware:
    """Let nothing on a page hide, also where a template shows a name as it is.

    Writing takes such characters out; rows that are older, or were written past us, have them.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming:
            text = response.content.decode()
            shown = with_hidden_shown(text)
            if shown is not text:
                response.content = shown.encode()
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
        return refusal(request, error)


class DoorMiddleware:
    """Refuse what is too large or comes too often, before any view looks at it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        args: tuple[object, ...],
        kwargs: dict[str, object],
    ) -> HttpResponse | None:
        """Answer in the place of the view, or leave it to the view."""
        del view, args, kwargs
        try:
            if limit := getattr(request, "scope", {}).get(CUT_OFF):
                raise too_large(limit)
            admit(*_counts(request))
        except DomainError as error:
            return refusal(request, error)
        return None


def _counts(request: HttpRequest) -> list[Count]:
    """Return what the request counts against: each door has limits of its own."""
    network = caller_network(request)
    who = [Count("account", str(request.user.pk))] if isinstance(request.user, User) else []
    if _is_oauth(request):
        return [Count("oauth:network", network)]
    if request.path.startswith("/api/"):
        token = request.headers.get("Authorization", "")
        who = [Count("token", token)] if token else who
        return [
            *(Count(f"rest:{each.name}", each.who) for each in who),
            Count("rest:network", network),
        ]
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return []
    return [
        *(Count(f"write:{each.name}", each.who) for each in who),
        Count("write:network", network),
    ]


def _is_oauth(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and match.namespace == "oauth2_provider"


def refusal(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Return the refusal in the form that the door's callers read."""
    status = status_of(error)
    response: HttpResponse
    if request.path.startswith("/api/"):
        response = refused(error, status=status)
    elif _is_oauth(request) and request.method != "GET":
        # RFC 6749 has no code for it; browser clients read the answer from their own origin.
        said = {"error": "temporarily_unavailable", "error_description": error.sentence}
        response = JsonResponse(said, status=status)
        response["Access-Control-Allow-Origin"] = "*"
    else:
        response = render(request, "error.html", {"error": error}, status=status)
    if isinstance(error, TooManyError):
        response["Retry-After"] = str(error.retry_after)
    return response
