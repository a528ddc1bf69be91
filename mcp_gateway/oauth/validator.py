"""What the toolkit must ask before it issues anything: one space, known scopes, a fresh code."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from oauth2_provider.cimd import is_cimd_client_id
from oauth2_provider.models import AccessToken, Grant, RefreshToken
from oauthlib.common import Request
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error
from typing_extensions import override

from mcp_gateway.models import Application
from mcp_gateway.oauth.bearer import digest
from mcp_gateway.oauth.refreshing import GracefulRefreshValidator, hold_family
from mcp_gateway.oauth.resources import requested_space
from mcp_gateway.scopes import ALL, known

_SENT_TWICE = timedelta(seconds=5)


class SpaceBoundValidator(GracefulRefreshValidator):
    """Binds every code and every token to exactly one space of the person.

    The toolkit alone takes any address, compares prefixes, and leaves tokens unbound when none
    is named. The endpoints run in one transaction each, so the locks taken here hold to its end.
    """

    # --- Who asks ---

    @override
    def _load_application(self, client_id: str, request: Request) -> Application | None:
        # The toolkit fetches the document of a client that it does not know. Only a person who
        # is signed in, on the consent page, may make this server fetch something.
        is_consent = urlsplit(request.uri).path == reverse("oauth2_provider:authorize")
        if not is_consent and is_cimd_client_id(client_id):
            known_clients = Application.objects.filter(client_id=client_id)
            if not known_clients.exists():
                return None
        application: Application | None = super()._load_application(client_id, request)
        return application

    # --- One space ---

    @override
    def _create_authorization_code(
        self, request: Request, code: dict[str, str], expires: datetime | None = None
    ) -> Grant:
        # The consent page checked it already; but its form comes back from the browser.
        request.resource = _one_space(request, request.resource)
        Application.objects.filter(pk=request.client.pk).update(last_used_at=timezone.now())
        return super()._create_authorization_code(request, code, expires)

    @override
    def _check_and_set_request_resource(self, request: Request) -> None:
        if isinstance(request.resource, str):
            request.resource = request.resource.removesuffix("/")
        super()._check_and_set_request_resource(request)
        request.resource = _one_space(request, request.resource)

    # --- Known scopes ---

    @override
    def validate_scopes(
        self, client_id: str, scopes: Iterable[str], client: Application, request: Request,
        *args: object, **kwargs: object,
    ) -> bool:  # fmt: skip
        """Narrow what is asked to what exists, instead of refusing the connection."""
        request.scopes = known(scopes) or list(ALL)
        return True

    @override
    def is_within_original_scope(
        self, request_scopes: Iterable[str], refresh_token: str, request: Request,
        *args: object, **kwargs: object,
    ) -> bool:  # fmt: skip
        """Narrow what a refresh asks to what was granted."""
        original = self.get_original_scopes(refresh_token, request).split()
        request.scopes = [scope for scope in request_scopes if scope in original] or original
        return True

    # --- One use of a code ---

    @override
    def validate_code(
        self, client_id: str, code: str, client: Application, request: Request,
        *args: object, **kwargs: object,
    ) -> bool:  # fmt: skip
        """Accept a code once: a second use waits here, finds it gone, and ends what it was for."""
        grants = Grant.objects.select_for_update().filter(code=code, application=client)
        if not any(grant.user.is_active for grant in grants):
            _end_what_came_of(code, client)
            return False
        return bool(super().validate_code(client_id, code, client, request, *args, **kwargs))

    @override
    def _create_refresh_token(
        self, request: Request, value: str, access_token: AccessToken, previous: RefreshToken | None
    ) -> RefreshToken:
        token = super()._create_refresh_token(request, value, access_token, previous)
        if previous is None:
            token.token_family = _family_of(request.code)
            token.save(update_fields=["token_family"])
        return token


def _family_of(code: str) -> UUID:
    """Return the family of the tokens that a code is exchanged for; the code is not kept."""
    return UUID(digest(code)[:32])


def _end_what_came_of(code: str, client: Application) -> None:
    """Revoke the tokens of a code that comes again (RFC 6749, 4.1.2): one of the two stole it.

    Unless it comes at once: browser apps are known to send a code twice.
    """
    family = _family_of(code)
    hold_family(family)
    tokens = RefreshToken.objects.filter(token_family=family, application=client)
    if tokens.filter(created__lt=timezone.now() - _SENT_TWICE).exists():
        RefreshToken.revoke_family(family)


def _one_space(request: Request, resource: str | Sequence[str] | None) -> list[str]:
    """Return the address of the one space that is asked for, in its one spelling."""
    asked = [resource] if isinstance(resource, str) else list(resource or [])
    space = requested_space(asked, user=request.user)
    if space is None:
        raise CustomOAuth2Error(
            error="invalid_target",
            description="resource must be the address of one of your spaces",
            request=request,
        )
    return [space.mcp_url]
