"""Dynamic client registration (RFC 7591), with what real clients send and look for."""

import contextlib
import json
from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views import (
    DynamicClientRegistrationManagementView,
    DynamicClientRegistrationView,
)
from typing_extensions import override

from accounts.http import caller_network
from brain.lib.errors import TooManyError, UnavailableError
from brain.lib.rate_limits import count_against
from brain.lib.strict_json import NotJsonError, strict_json
from mcp_gateway.models import Application, plain_http, unprintable
from mcp_gateway.oauth.cors import CorsMixin, private
from mcp_gateway.scopes import ALL, known

MAX_BODY_BYTES = 8192
_ECHOED = ("client_uri", "logo_uri", "application_type", "software_id", "software_version")
_AUTH_METHODS = ("none", "client_secret_post", "client_secret_basic")

Metadata = dict[str, object]


class _RefusedError(Exception):
    """The metadata can't be registered; `code` is one of RFC 7591, 3.2.2."""

    def __init__(self, code: str, description: str) -> None:
        super().__init__(description)
        self.code = code


@method_decorator(csrf_exempt, name="dispatch")
class RegistrationView(CorsMixin, DynamicClientRegistrationView):  # type: ignore[misc]
    """Registers any app that asks, as nobody's: people decide on the consent page."""

    cors_methods = "POST, OPTIONS"

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        return private(super().dispatch(request, *args, **kwargs))

    @override
    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            count_against(settings.OAUTH_REGISTRATION_LIMIT, "register", caller_network(request))
            asked = _narrow(request)
        except (TooManyError, UnavailableError) as error:
            return _busy(error)
        except _RefusedError as error:
            return _refusal(error.code, str(error))
        # Whoever is signed in at this browser did not ask for it.
        request.user = AnonymousUser()
        return _answered(super().post(request, *args, **kwargs), asked)


@method_decorator(csrf_exempt, name="dispatch")
class RegistrationManagementView(
    CorsMixin,
    DynamicClientRegistrationManagementView,  # type: ignore[misc]
):
    """Lets an app read, change or withdraw its own registration (RFC 7592)."""

    cors_methods = "GET, PUT, DELETE, OPTIONS"

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        return private(super().dispatch(request, *args, **kwargs))

    @override
    def get(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        return _answered(super().get(request, *args, **kwargs), {})

    @override
    def put(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            asked = _narrow(request)
        except _RefusedError as error:
            return _refusal(error.code, str(error))
        return _answered(super().put(request, *args, **kwargs), asked)


def _narrow(request: HttpRequest) -> Metadata:
    """Replace the request's metadata with what this server offers of it (RFC 7591, 2)."""
    try:
        asked = strict_json(_body(request))
    except NotJsonError:
        asked = None
    if not isinstance(asked, dict):
        raise _RefusedError("invalid_client_metadata", "Send a JSON object.")
    narrowed = {**asked, "redirect_uris": _redirect_uris(asked.get("redirect_uris"))}
    grants = asked.get("grant_types")
    if grants is None or (isinstance(grants, list) and "authorization_code" in grants):
        narrowed["grant_types"] = ["authorization_code", "refresh_token"]
    if not isinstance(asked.get("client_name", ""), str):
        narrowed["client_name"] = ""
    # The toolkit reads the body once more, and Django keeps it here.
    request._body = json.dumps(narrowed).encode()  # noqa: SLF001
    return narrowed


def _body(request: HttpRequest) -> bytes:
    with contextlib.suppress(RequestDataTooBig):
        if len(request.body) <= MAX_BODY_BYTES:
            return request.body
    raise _RefusedError("invalid_client_metadata", "The metadata is too long.")


def _redirect_uris(asked: object) -> list[str]:
    """Leave out addresses of unknown schemes, unless no other is left."""
    if not isinstance(asked, list) or not asked or not all(isinstance(u, str) for u in asked):
        raise _RefusedError("invalid_redirect_uri", "redirect_uris must be a list of addresses.")
    uris: list[str] = asked
    if unprintable(uris):
        raise _RefusedError("invalid_redirect_uri", "A redirect URI has a blank or control code.")
    offered = [uri for uri in uris if _scheme(uri) in oauth2_settings.ALLOWED_REDIRECT_URI_SCHEMES]
    if not offered:
        raise _RefusedError("invalid_redirect_uri", "No redirect URI has a scheme that is known.")
    if refused := plain_http(offered):
        raise _RefusedError(
            "invalid_redirect_uri", f"Plain http is for this computer only: {refused[0]}"
        )
    return offered


def _scheme(uri: str) -> str:
    try:
        return urlsplit(uri).scheme
    except ValueError:
        return ""


def _answered(response: HttpResponse, asked: Metadata) -> HttpResponse:
    """Complete the toolkit's answer with what clients look for (RFC 7591, 3.2.1)."""
    if response.status_code not in {200, 201}:
        return response
    answer: Metadata = json.loads(response.content)
    client_id = str(answer["client_id"])
    path = reverse("oauth2_provider:dcr-register-management", args=[client_id])
    app = Application.objects.get(client_id=client_id)
    answer |= {
        "client_id_issued_at": int(app.created.timestamp()),
        # Not from the request: behind a proxy it names the wrong scheme or host.
        "registration_client_uri": settings.PUBLIC_URL + path,
        "response_types": ["code"],
        "scope": " ".join(known(_words(asked.get("scope"))) or ALL),
    }
    answer |= {name: asked[name] for name in _ECHOED if isinstance(asked.get(name), str)}
    if asked.get("token_endpoint_auth_method") in _AUTH_METHODS:
        # The toolkit takes both ways to send a secret, and always names the same.
        answer["token_endpoint_auth_method"] = asked["token_endpoint_auth_method"]
    if "client_secret" in answer:
        answer["client_secret_expires_at"] = 0
    return JsonResponse(answer, status=response.status_code)


def _words(value: object) -> Iterable[str]:
    return value.split() if isinstance(value, str) else ()


def _refusal(code: str, description: str, *, status: int = 400) -> JsonResponse:
    return JsonResponse({"error": code, "error_description": description}, status=status)


def _busy(error: TooManyError | UnavailableError) -> JsonResponse:
    if isinstance(error, UnavailableError):
        return _refusal("temporarily_unavailable", "Try again in a minute.", status=503)
    response = _refusal("temporarily_unavailable", error.sentence, status=429)
    response["Retry-After"] = str(error.retry_after)
    return response
