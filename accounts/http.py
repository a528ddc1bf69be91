"""Requests as the middleware leaves them, and answers that windows of other apps may use."""

import functools
import ipaddress
import zoneinfo
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from accounts.actors import Actor
from accounts.models import User

P = ParamSpec("P")


class SignedInRequest(HttpRequest):
    """What a view behind `login_required` gets."""

    user: User
    htmx: HtmxDetails
    actor: Actor


class ActorMiddleware:
    """Say who is asking, so that views pass `request.actor` on, and speak their language."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not isinstance(user, User):
            return self.get_response(request)
        door = "rest" if request.path.startswith("/api/") else "dashboard"
        request.actor = Actor(user, door)  # type: ignore[attr-defined, arg-type]
        zone = zoneinfo.ZoneInfo(user.time_zone)
        with timezone.override(zone), translation.override(user.language):
            return self.get_response(request)


def next_page(request: HttpRequest) -> str:
    """Return the page of this site that sign-in was asked for on the way to, or nothing."""
    asked = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME, "")
    is_ours = url_has_allowed_host_and_scheme(
        asked, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # Without a slash, a redirect would take it for the name of a page.
    return asked if is_ours and "/" in asked else ""


def caller_network(request: HttpRequest) -> str:
    """Return whom to count requests of one caller under."""
    return network_of(request.META.get("REMOTE_ADDR", ""))


def network_of(sender: str) -> str:
    """Return the address, or its IPv6 /64.

    Whoever has one IPv6 address has the whole /64 to send from (RFC 6177).
    """
    try:
        address = ipaddress.ip_address(sender)
    except ValueError:
        return "unknown"
    if address.version == 6 and address.ipv4_mapped is None:  # noqa: PLR2004
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


def opener_kept(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let a page work in the pop-up of an app that connects (a page of the OAuth flow).

    Without the opener, the app takes its window for closed; with a `form-action`, browsers swallow
    the redirect to the app that follows the form.
    """

    @functools.wraps(view)
    def kept(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Cross-Origin-Opener-Policy"] = "unsafe-none"
        # What django-csp's own decorator sets; this way one decorator says all of it.
        response._csp_replace = {"form-action": None}  # type: ignore[attr-defined]  # noqa: SLF001
        return response

    return kept
