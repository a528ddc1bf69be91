"""The spaces of a person, with what the home page shows of each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from accounts.models import User
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class Contents:
    """How many memories a space has in each state, and when anything last happened in it."""

    by_state: dict[str, int] = field(default_factory=dict)
    last_activity_at: datetime | None = None

    @property
    def active(self) -> int:
        return self.by_state.get("active", 0)

    @property
    def expired(self) -> int:
        return self.by_state.get("expired", 0)

    @property
    def held(self) -> int:
        """Return how many wait for the person's answer."""
        return self.by_state.get("held", 0)


@dataclass(frozen=True, slots=True)
class SpaceCard:
    space: Space
    contents: Contents


# Memories lie above this app and can't be imported: it adds the function that looks into a space.
contents_of: list[Callable[[Space], Contents]] = []


def space_cards(user: User) -> list[SpaceCard]:
    """Return the person's spaces by name; each is looked into on its own, as isolation wants it."""
    return [SpaceCard(space, _contents(space)) for space in Space.objects.of(user)]


def _contents(space: Space) -> Contents:
    return contents_of[0](space) if contents_of else Contents()
