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


@dataclass(frozen=True, slots=True)
class FoundByMeaning:
    """How many of the memories of a space are found by meaning too, or why none is."""

    done: int = 0
    total: int = 0
    why_off: str = ""

    @property
    def is_complete(self) -> bool:
        return not self.why_off and self.done >= self.total


# Memories lie above this app and can't be imported: it adds the functions that look into a space.
contents_of: list[Callable[[Space], Contents]] = []
found_by_meaning_of: list[Callable[[Space], FoundByMeaning]] = []


def space_cards(user: User) -> list[SpaceCard]:
    """Return the person's spaces by name; each is looked into on its own, as isolation wants it."""
    return [SpaceCard(space, _contents(space)) for space in Space.objects.of(user)]


def _contents(space: Space) -> Contents:
    return contents_of[0](space) if contents_of else Contents()


def found_by_meaning(space: Space) -> FoundByMeaning:
    """Return how far search by meaning is in the space."""
    return found_by_meaning_of[0](space) if found_by_meaning_of else FoundByMeaning()
