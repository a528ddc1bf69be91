"""Who sent this token: the one place that turns a bearer token into a caller."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from accounts.actors import Actor
from mcp_gateway.context import Caller
from mcp_gateway.models import ApiKey
from mcp_gateway.oauth.resources import resource_of
from mcp_gateway.scopes import known
from spaces.isolation import inside
from spaces.models import Space

KEY_PREFIX = "brain_"
_TOKEN = "owner__oauth2_provider_accesstoken"  # noqa: S105


class BearerError(Exception):
    """The token does not open this address; `description` goes into the challenge.

    It says the same for a foreign space and for one that does not exist.
    """

    def __init__(self, description: str = "The token is not valid for this address.") -> None:
        super().__init__(description)
        self.description = description


def digest(secret: str) -> str:
    """Return what is stored of a key or token.

    A plain hash is right here: slow hashes protect what people choose, and these carry 256
    random bits, which nobody can try through.
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def authenticate(value: str, space_id: UUID) -> Caller:
    """Return who calls the space with this bearer token; raises BearerError."""
    if value.startswith(KEY_PREFIX):
        return _by_key(value, space_id)
    return _by_token(value, space_id)


@dataclass(frozen=True, slots=True)
class _Token:
    """What the space's query brings along of the access token."""

    scope: str
    expires: datetime
    resource: list[str]
    application: int
    name: str


_BROUGHT = {
    "scope": "scope",
    "expires": "expires",
    "resource": "resource",
    "application": "application",
    "name": "application__name",
}


def _by_token(value: str, space_id: UUID) -> Caller:
    # From the space through its owner to the token: a token without a user (those that manage
    # a client's registration), of another user, or of an inactive one finds nothing.
    space = (
        Space.objects.select_related("owner")
        .filter(
            pk=space_id,
            owner__is_active=True,
            owner__oauth2_provider_accesstoken__token_checksum=digest(value),
            owner__oauth2_provider_accesstoken__application__isnull=False,
        )
        .annotate(**{f"token_{name}": F(f"{_TOKEN}__{path}") for name, path in _BROUGHT.items()})
        .first()
    )
    if space is None:
        raise BearerError
    token = _Token(**{name: getattr(space, f"token_{name}") for name in _BROUGHT})
    # Exactly this address: the toolkit's own check takes prefixes, and no resource for any.
    if token.resource != [resource_of(space_id)]:
        raise BearerError
    if token.expires <= timezone.now():
        raise BearerError("The access token has expired.")
    actor = Actor(space.owner, "mcp", f"app:{token.application}", token.name)
    return Caller(actor, space, frozenset(known(token.scope.split())))


def _by_key(value: str, space_id: UUID) -> Caller:
    with inside(space_id):
        key = (
            ApiKey.objects.select_related("space__owner")
            .filter(space_id=space_id, key_hash=digest(value))
            .first()
        )
    if key is None or not key.space.owner.is_active or key.revoked_at is not None:
        raise BearerError
    if not key.is_live(now=timezone.now()):
        raise BearerError("The key has expired.")
    actor = Actor(key.space.owner, "mcp", key.client_key, key.label)
    return Caller(actor, key.space, frozenset(known(key.scopes)))
