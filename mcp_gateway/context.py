"""Who is calling the MCP endpoint, and for which space."""

import unicodedata
from dataclasses import dataclass

from accounts.actors import Actor
from brain.lib.sanitising import without_secrets
from mcp_gateway.scopes import WRITE
from spaces.models import Space

_INSTANCE_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Caller:
    """An agent that proved that it may use this one space."""

    actor: Actor
    space: Space
    scopes: frozenset[str]

    @property
    def may_write(self) -> bool:
        return WRITE in self.scopes


def instance_of(value: str) -> str:
    """Return the `X-Agent-Instance-Id` as one line of printable text, without secrets."""
    kept = (char for char in value if unicodedata.category(char)[0] != "C")
    return without_secrets("".join(kept)[:_INSTANCE_LIMIT]).text[:_INSTANCE_LIMIT]
