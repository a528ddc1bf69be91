"""The only place that decides whether someone may use a space."""

from uuid import UUID

from accounts.actors import Actor
from accounts.models import User
from brain.lib.errors import NotFoundError
from spaces.models import Space


def readable_space(space_id: UUID, actor: Actor) -> Space:
    """Return the space; a stranger is told that it does not exist."""
    return own_space(space_id, actor.user)


def writable_space(space_id: UUID, actor: Actor) -> Space:
    return own_space(space_id, actor.user)


def owned_space(space_id: UUID, actor: Actor) -> Space:
    """Return the space for what only its owner may do: settings, keys, deletion."""
    return own_space(space_id, actor.user)


def own_space(space_id: UUID, user: User) -> Space:
    """Return a space of `user`, with its owner loaded."""
    space = Space.objects.select_related("owner").filter(pk=space_id, owner=user).first()
    if space is None or not user.is_active:
        raise NotFoundError("There is no such space.", hint="Check the address.")
    return space
