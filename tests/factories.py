"""Things for tests to start from, made through services where a rule is involved."""

import itertools

from accounts.actors import Actor
from accounts.models import User
from memories.models import Memory
from memories.services.saving import Draft, save_memory
from spaces.models import Space
from spaces.services.creating import SpaceDetails, create_space

_numbers = itertools.count(1)


def make_user(email: str = "", **fields: object) -> User:
    """Make a person; every one has another address unless it is given."""
    return User.objects.create_user(email or f"person{next(_numbers)}@example.org", **fields)


def make_space(
    *, owner: User | None = None, name: str = "", language: str = Space.Language.ENGLISH
) -> Space:
    """Make a space of `owner`, or of a new person."""
    details = SpaceDetails(name or f"Space {next(_numbers)}", language=language)
    return create_space(actor=make_actor(owner), details=details)


def make_actor(user: User | None = None) -> Actor:
    """Say that a person acts, in the dashboard."""
    return Actor(user or make_user(), "dashboard")


def agent_of(space: Space, *, name: str = "Claude Code") -> Actor:
    """Say that an app acts, over MCP, for the person whose space it is."""
    return Actor(space.owner, "mcp", client_key=f"app:{name.lower()}", client_name=name)


def make_memory(
    space: Space,
    content: str = "We deploy on Fridays at noon.",
    *,
    actor: Actor | None = None,
    **fields: str,
) -> Memory:
    """Have something remembered: a decision of an agent, unless fields of Draft say otherwise."""
    usual = {"kind": "decision", "path": "Project", "source": "Ana", "rationale": "She said so"}
    draft = Draft(content, **(usual | fields))
    return save_memory(space=space, actor=actor or agent_of(space), draft=draft).memory
