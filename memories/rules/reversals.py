"""Whether what an app did to one memory can be taken back, read from the lines of its log."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Line(Protocol):
    """What of a line of the activity log this is decided by."""

    @property
    def verb(self) -> str: ...
    @property
    def version(self) -> int | None: ...
    @property
    def standing(self) -> dict[str, object]: ...


class Obstacle(StrEnum):
    """Why a memory is left as it is."""

    CHANGED_SINCE = "changed_since"
    ERASED = "erased"
    UNKNOWN = "unknown"
    SAME_FACT = "same_fact"


# Lines that neither change a memory nor say what somebody thinks of it.
_SILENT = {"refreshed", "snoozed", "version_erased", "reverted"}
_BIRTHS = {"saved", "held"}


@dataclass(frozen=True, slots=True)
class Target:
    """How the memory stood before; without a standing it was not there, and is forgotten."""

    version: int | None = None
    standing: dict[str, object] | None = None

    @property
    def is_birth(self) -> bool:
        return self.standing is None


def target(lines: Sequence[Line], *, is_theirs: Callable[[Line], bool]) -> Target | Obstacle | None:
    """Return how a memory stood before the first line that `is_theirs`.

    `lines` are all lines about the memory, oldest first. An Obstacle says why it must be left
    alone; None says that there is nothing to take back.
    """
    first = next((place for place, line in enumerate(lines) if is_theirs(line)), None)
    if first is None:
        return None
    if any(not is_theirs(line) and line.verb not in _SILENT for line in lines[first:]):
        return Obstacle.CHANGED_SINCE
    before = next((line for line in reversed(lines[:first]) if _tells_version(line)), None)
    if before is None:
        return Target() if lines[first].verb in _BIRTHS else Obstacle.UNKNOWN
    if not before.standing or before.version is None:
        return Obstacle.UNKNOWN
    return Target(before.version, before.standing)


def is_known(lines: Sequence[Line], *, version: int, state: str) -> bool:
    """Say whether the log tells how the memory is now: otherwise something went around it."""
    last = next((line for line in reversed(lines) if _tells_version(line)), None)
    return last is not None and (last.version, last.standing.get("state")) == (version, state)


def _tells_version(line: Line) -> bool:
    # The line of an erased version names that one, not the present one.
    return line.verb != "version_erased"
