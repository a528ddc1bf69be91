"""The spaces of a person, with what the home page shows of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from accounts.models import User
from spaces.agents import Agent, agents
from spaces.models import Space

NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Contents:
    """How many memories a space has in each state, and when anything last happened in it."""

    by_state: dict[str, int] = field(default_factory=dict)
    last_activity_at: datetime | None = None
    # Questions that only the person can answer.
    waiting: int = 0

    @property
    def active(self) -> int:
        return self.by_state.get("active", 0)

    @property
    def expired(self) -> int:
        return self.by_state.get("expired", 0)

    @property
    def is_empty(self) -> bool:
        """Say whether nothing was ever remembered here."""
        return not any(self.by_state.values())


@dataclass(frozen=True, slots=True)
class SpaceCard:
    """A space as the home page shows it, with the agents that may use it."""

    space: Space
    contents: Contents
    agents: Sequence[Agent] = ()

    @property
    def latest(self) -> Agent | None:
        """Return the agent that came last, if any ever came."""
        came = [agent for agent in self.agents if agent.last_used_at]
        return max(came, key=lambda agent: agent.last_used_at or NEVER, default=None)

    @property
    def failing(self) -> list[Agent]:
        return [agent for agent in self.agents if agent.fails]


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
contents_of_many: list[Callable[[Sequence[UUID]], Mapping[UUID, Contents]]] = []
found_by_meaning_of: list[Callable[[Space], FoundByMeaning]] = []
why_meaning_is_off_of: list[Callable[[], str]] = []


def space_cards(user: User) -> list[SpaceCard]:
    """Return the person's spaces by name; each is looked into on its own, as isolation wants it."""
    spaces = Space.objects.of(user).select_related("owner")
    return [SpaceCard(space, _contents(space), agents(space)) for space in spaces]


def _contents(space: Space) -> Contents:
    return contents_of[0](space) if contents_of else Contents()


def counts(space_ids: Sequence[UUID]) -> Mapping[UUID, Contents]:
    """Return the figures of many spaces, in as many queries as those of one."""
    return contents_of_many[0](space_ids) if contents_of_many and space_ids else {}


def found_by_meaning(space: Space) -> FoundByMeaning:
    """Return how far search by meaning is in the space."""
    return found_by_meaning_of[0](space) if found_by_meaning_of else FoundByMeaning()


def why_meaning_is_off() -> str:
    """Say why no space is searched by meaning; nothing when there is a model that answers."""
    return why_meaning_is_off_of[0]() if why_meaning_is_off_of else ""
