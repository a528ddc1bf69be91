"""The only place that decides whether someone may use a space."""

from uuid import UUID

from accounts.actors import Actor
from accounts.models import User
from brain.lib.errors import NotAllowedError, NotFoundError
from spaces.models import Space


def readable_space(space_id: UUID, actor: Actor) -> Space:
    """Return the space; a stranger, or the key of another space, hears that there is none."""
    if actor.only_space not in {None, space_id}:
        raise _no_such_space()
    return own_space(space_id, actor.user)


def writable_space(space_id: UUID, actor: Actor) -> Space:
    space = readable_space(space_id, actor)
    if not actor.may_write:
        raise NotAllowedError("This key may only read.", hint="Make one with the scope auth:write.")
    return space


def owned_space(space_id: UUID, actor: Actor) -> Space:
    """Return the space for what only its owner may do: settings, keys, deletion."""
    space = readable_space(space_id, actor)
    if actor.is_agent:
        raise NotAllowedError("Only the person may do this.", hint="Use the dashboard.")
    return space


def own_space(space_id: UUID, user: User) -> Space:
    """Return a space of `user`, with its owner loaded."""
    space = Space.objects.select_related("owner").filter(pk=space_id, owner=user).first()
    if space is None or not user.is_active:
        raise _no_such_space()
    return space


def _no_such_space() -> NotFoundError:
    return NotFoundError("There is no such space.", hint="Check the address.")
