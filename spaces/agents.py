"""Agents that may use a space, as its pages show them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from spaces.models import Space


@dataclass(frozen=True, slots=True)
class Agent:
    """An app or a key: what it may do, and what it last did; `end_url` takes its access away."""

    name: str
    is_key: bool
    may_write: bool
    connected_at: datetime
    end_url: str
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    last_saved_at: datetime | None = None
    last_searched_at: datetime | None = None
    last_error_at: datetime | None = None
    last_error_code: str = ""

    @property
    def last_error(self) -> str:
        """Return the code of the last refusal in words."""
        return self.last_error_code.replace("_", " ")

    @property
    def fails(self) -> bool:
        """Say whether the last that is known of it is a refusal."""
        worked = max(filter(None, (self.last_saved_at, self.last_searched_at)), default=None)
        return self.last_error_at is not None and (worked is None or self.last_error_at > worked)


# Agents lie above this app and can't be imported: it adds the function that finds them.
agents_of: list[Callable[[Space], Sequence[Agent]]] = []


def agents(space: Space) -> list[Agent]:
    return [agent for find in agents_of for agent in find(space)]
