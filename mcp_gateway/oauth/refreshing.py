"""Refresh tokens that are used once, by programs that run several sessions at the same time."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import F, Q
from django.utils import timezone
from oauth2_provider.models import AccessToken, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.common import Request
from typing_extensions import override

from mcp_gateway.models import Application
from mcp_gateway.oauth.bearer import digest


class GracefulRefreshValidator(OAuth2Validator):  # type: ignore[misc]
    """Rotates refresh tokens, and takes a replay for a theft only when it is no coincidence."""

    @override
    def validate_refresh_token(
        self, refresh_token: str, client: Application, request: Request,
        *args: object, **kwargs: object,
    ) -> bool:  # fmt: skip
        """Accept a live token, and for a minute one that another session just used.

        Sessions of one program share a token and refresh at the same moment; the toolkit's
        grace period hands out the first answer again, which hashed storage no longer has.
        """
        held_families(refresh_token, client)
        token = _locked(refresh_token, client)
        if token is None or not token.user.is_active:
            return False
        successor = _recent_successor(token)
        if successor is None:
            return bool(
                super().validate_refresh_token(refresh_token, client, request, *args, **kwargs)
            )
        request.user, request.refresh_token = token.user, refresh_token
        request.refresh_token_instance, request.superseded_by = token, successor
        return True

    @override
    def get_original_scopes(
        self, refresh_token: str, request: Request, *args: object, **kwargs: object
    ) -> str:
        source = _superseded_by(request) or request.refresh_token_instance.access_token
        return str(source.scope)

    @override
    def _save_bearer_token(
        self, token: dict[str, str], request: Request, *args: object, **kwargs: object
    ) -> None:
        if _superseded_by(request) is None:
            super()._save_bearer_token(token, request, *args, **kwargs)
            return
        # A further pair of the same family: a later replay of the old token ends all of them.
        self._check_and_set_request_resource(request)
        expires = timezone.now() + timedelta(seconds=int(token["expires_in"]))
        access_token = self._create_access_token(expires, request, token)
        self._create_refresh_token(
            request, token["refresh_token"], access_token, request.refresh_token_instance
        )

    @override
    def revoke_token(
        self, token: str, token_type_hint: str, request: Request, *args: object, **kwargs: object
    ) -> None:
        """Revoke what hangs on the same consent too (RFC 7009, 2.1): signed out is signed out."""
        families = held_families(token, request.client)
        super().revoke_token(token, token_type_hint, request, *args, **kwargs)
        for family in families:
            RefreshToken.revoke_family(family)


def held_families(token: str, client: Application) -> list[UUID]:
    """Return the families of the token (refresh or access), each held by this transaction.

    Whoever mints tokens of a family and whoever ends it come one after the other. Locks of rows
    alone do not do that: what a refresh mints while another one waits for its row is in nobody's
    view yet, and would outlive the end of its family.
    """
    checksum = digest(token)
    is_meant = Q(token_checksum=checksum) | Q(access_token__token_checksum=checksum)
    mine = RefreshToken.objects.filter(is_meant, application=client, token_family__isnull=False)
    # In one order, and before any row: two that need the same ones never wait for each other.
    families = sorted(set(mine.values_list("token_family", flat=True)))
    for family in families:
        hold_family(family)
    return families


def hold_family(family: UUID) -> None:
    """Wait until nobody else refreshes or ends the family; held until the transaction ends."""
    key = int.from_bytes(family.bytes[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s)", [key])


def _locked(refresh_token: str, client: Application) -> RefreshToken | None:
    """Return the token's row; whoever else refreshes with it waits until we are done."""
    return (
        RefreshToken.objects.select_for_update(of=("self",))
        .select_related("user")
        .filter(token_checksum=digest(refresh_token), application=client)
        .order_by(F("revoked").desc(nulls_first=True))
        .first()
    )


def _superseded_by(request: Request) -> AccessToken | None:
    # Fields that were never set read as whatever parameter of that name the client sent.
    successor = getattr(request, "superseded_by", None)
    return successor if isinstance(successor, AccessToken) else None


def _recent_successor(token: RefreshToken) -> AccessToken | None:
    """Return what the token was exchanged for, if that was moments ago and still holds.

    A token that was revoked on purpose has none, and is a replay like an old one.
    """
    grace = timedelta(seconds=settings.OAUTH_REFRESH_GRACE_SECONDS)
    if token.revoked is None or token.revoked <= timezone.now() - grace:
        return None
    return AccessToken.objects.filter(source_refresh_token=token).first()
