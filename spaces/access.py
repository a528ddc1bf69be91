"""The only place that decides whether someone may use a space."""

from uuid import UUID

from django.conf import settings

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


def may_operator_read(space: Space, user: User) -> bool:
    """Say whether an operator sees what is remembered: the owner does, others by a setting only."""
    if not (user.is_active and user.is_staff):
        return False
    return space.owner_id == user.pk or (settings.OPERATORS_READ_MEMORIES and user.is_superuser)


def own_space(space_id: UUID, user: User) -> Space:
    """Return a space of `user`, with its owner loaded."""
    space = Space.objects.select_related("owner").filter(pk=space_id, owner=user).first()
    if space is None or not user.is_active:
        raise _no_such_space()
    return space


def _no_such_space() -> NotFoundError:
    return NotFoundError("There is no such space.", hint="Check the address.")
