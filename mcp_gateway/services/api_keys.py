"""Create and revoke the keys of a space."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotFoundError
from brain.lib.sanitising import clean_line
from mcp_gateway.models import ApiKey
from mcp_gateway.oauth.bearer import KEY_PREFIX, digest
from mcp_gateway.scopes import ALL, known
from spaces.isolation import inside
from spaces.models import Space


class UnknownScopeError(DomainError):
    code = "unknown_scope"
    hint = f"Choose from {' and '.join(ALL)}."


class PastExpiryError(DomainError):
    code = "past_expiry"
    hint = "Choose a later date, or none."


@dataclass(frozen=True, slots=True)
class KeyDetails:
    """What a person says of a new key; without a label it is named after what it may do."""

    scopes: Sequence[str]
    label: str = ""
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A new key and its secret, which nobody can read again later."""

    key: ApiKey
    secret: str


def create_api_key(*, space: Space, actor: Actor, details: KeyDetails) -> CreatedKey:
    """Make a key that opens this space and no other."""
    if not details.scopes or not set(details.scopes) <= set(ALL):
        raise UnknownScopeError("A key needs one or both of the scopes that exist.")
    if details.expires_at is not None and details.expires_at <= timezone.now():
        raise PastExpiryError("The key would have expired already.")
    scopes = known(details.scopes)
    label = clean_line(details.label, limit=80, what="The label") or "API key"
    # 32 bytes: see `digest` for why that allows a plain hash.
    secret = KEY_PREFIX + secrets.token_urlsafe(32)
    with inside(space):
        key = ApiKey.objects.create(
            space=space,
            label=label,
            key_hash=digest(secret),
            scopes=scopes,
            created_by=actor.user,
            expires_at=details.expires_at,
        )
    return CreatedKey(key, secret)


def revoke_api_key(*, space: Space, key_id: UUID) -> None:
    """Close the key at once; doing it again changes nothing."""
    with inside(space):
        keys = ApiKey.objects.filter(space=space, pk=key_id)
        if not keys.exists():
            raise NotFoundError("There is no such key.", hint="It may have been removed.")
        keys.filter(revoked_at=None).update(revoked_at=timezone.now())
