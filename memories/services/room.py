"""How many live memories a space may have; at the limit nothing is added, and all stays readable.

Counted are those that hold or wait for an answer: what was forgotten or replaced makes room.
"""

import time
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from brain.lib.errors import DomainError
from memories.models import Memory, State
from memories.services.locking import hold
from spaces.models import Space

COUNT_HOLDS_FOR = 60.0
# What all processes together can hardly add while a count holds: closer to the limit than this,
# every addition is counted exactly, one after the other.
NEAR = 10_000
MOST_KEPT = 10_000


class NoRoomError(DomainError):
    code = "space_full"

    def __init__(self, limit: int) -> None:
        said = ngettext(
            "This space holds %(limit)d memory, the most it may.",
            "This space holds %(limit)d memories, the most it may.",
            limit,
        )
        super().__init__(
            said % {"limit": limit},
            hint=_("Forget what no longer holds, or revise a memory that is there."),
        )


@dataclass(slots=True)
class _Counted:
    """How many there were at a moment, with what this process added since."""

    at: float
    size: int


_counted: dict[UUID, _Counted] = {}


def need_room(space: Space, *, adding: int = 1, are_written: bool = False) -> None:
    """Raise NoRoomError if the space has no room for that many more live memories.

    Needs to run inside the space, in the transaction that adds them; say whether it has
    written them already. Near the limit one adding transaction waits for the other.
    """
    limit, now = settings.MEMORIES_PER_SPACE, time.monotonic()
    counted = _counted.get(space.pk)
    if counted is None or now >= counted.at + COUNT_HOLDS_FOR:
        counted = _keep(space, _Counted(now, _count(space, limit=limit)))
    if counted.size + adding + NEAR <= limit:
        counted.size += adding
        return
    # Until the commit: whoever adds next counts what we added, so the limit is never passed.
    hold("room", space, "")
    size = _count(space, limit=limit)
    counted.at, counted.size = now, size
    if size + (0 if are_written else adding) > limit:
        raise NoRoomError(limit)


def _count(space: Space, *, limit: int) -> int:
    live = Memory.objects.filter(space=space, state__in=[State.ACTIVE, State.HELD])
    # Ends where the answer is known, however many there are.
    return live.values("pk")[: limit + 1].count()


def _keep(space: Space, counted: _Counted) -> _Counted:
    if len(_counted) >= MOST_KEPT:
        _counted.clear()
    _counted[space.pk] = counted
    return counted
