"""Who is calling the MCP endpoint, and for which space."""

from dataclasses import dataclass

from accounts.actors import Actor
from mcp_gateway.scopes import WRITE
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class Caller:
    """An agent that proved that it may use this one space."""

    actor: Actor
    space: Space
    scopes: frozenset[str]

    @property
    def may_write(self) -> bool:
        return WRITE in self.scopes
