"""What one step of a migration does to a table while others use it."""

from dataclasses import dataclass
from enum import Enum


class Weight(Enum):
    """How much others feel a step, from nothing to a halt (PostgreSQL documentation, 13.3)."""

    NOTHING = "nobody notices"
    BRIEF = "holds the table for a moment"
    WAITS = "writes wait while the whole table is read"
    REWRITES = "reads and writes wait while the whole table is written anew"
    BREAKS = "processes of the release before fail from then on"
    UNKNOWN = "statements of its own"


# What is done while processes of the release before go on working.
SAFE = frozenset({Weight.NOTHING, Weight.BRIEF})


@dataclass(frozen=True, slots=True)
class Effect:
    """`does` is in words, for whoever decides when to upgrade; `table` may be none."""

    weight: Weight
    does: str
    table: str = ""

    @property
    def is_safe(self) -> bool:
        return self.weight in SAFE
