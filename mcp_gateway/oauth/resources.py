"""A space and its address, which is the OAuth resource (RFC 8707) that tokens are bound to."""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings

from accounts.models import User
from spaces.models import Space


def metadata_url(space_id: UUID) -> str:
    """Return where the metadata of a space's address is (RFC 9728, 3.1)."""
    return f"{settings.PUBLIC_URL}/.well-known/oauth-protected-resource/mcp/{space_id}"


def resource_of(space_id: UUID) -> str:
    """Return the one spelling of a space's address: lower case, no slash at the end."""
    return f"{settings.PUBLIC_URL}/mcp/{space_id}"


def requested_space(resources: Sequence[str], *, user: User) -> Space | None:
    """Return the space of `user` that is meant, if exactly one is.

    A slash at the end is forgiven. Somebody else's space and none at all look the same.
    """
    space_id = _space_id(resources[0]) if len(resources) == 1 else None
    if space_id is None:
        return None
    return Space.objects.filter(pk=space_id, owner=user).first()


def _space_id(resource: str) -> UUID | None:
    prefix = f"{settings.PUBLIC_URL}/mcp/"
    try:
        space_id = UUID(resource.removeprefix(prefix).removesuffix("/"))
    except ValueError:
        return None
    # UUID() also reads other spellings; only the one that this server hands out counts.
    return space_id if resource.removesuffix("/") == resource_of(space_id) else None
