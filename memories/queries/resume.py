"""Where the work stopped: the checkpoints in progress."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from uuid import UUID

from django.utils import timezone

from brain.lib.text import readable
from memories.models import Kind, Memory, MemoryLink, Reason
from memories.queries.disagreements import open_among
from memories.rules.checkpoints import task_key
from spaces.isolation import inside
from spaces.models import Space

AT_MOST = 10
NEAREST = 5
MIN_LIKENESS = 0.3


@dataclass(frozen=True, slots=True)
class Resumed:
    """Checkpoints newest first; `nearest_tasks` when the task that was asked for has none.

    `disagreements` are pairs of memories that the checkpoints mention and that the person has
    still to choose between.
    """

    checkpoints: Sequence[Memory] = ()
    nearest_tasks: Sequence[str] = ()
    more: int = 0
    disagreements: Sequence[tuple[UUID, UUID]] = ()


def resume(*, space: Space, task: str = "") -> Resumed:
    """Return the checkpoints in progress, or the one of `task`."""
    task = readable(task, limit=500, what="The task").strip()
    now = timezone.now()
    with inside(space):
        live = (
            Memory.objects.filter(space=space, kind=Kind.CHECKPOINT)
            .live(now=now)
            .order_by("-updated_at", "-id")
        )
        if not task:
            checkpoints = list(live)
            shown, more = checkpoints[:AT_MOST], len(checkpoints[AT_MOST:])
            return Resumed(shown, more=more, disagreements=_disagreements(space, shown, now=now))
        if exact := live.filter(task_key=task_key(task)).first():
            return Resumed([exact], disagreements=_disagreements(space, [exact], now=now))
        names = [
            str(fields.get("task", "")) for fields in live.values_list("checkpoint", flat=True)
        ]
    return Resumed(nearest_tasks=_nearest(task, names))


def _disagreements(
    space: Space, checkpoints: Sequence[Memory], *, now: datetime
) -> Sequence[tuple[UUID, UUID]]:
    links = MemoryLink.objects.in_space(space).filter(
        first__in=[checkpoint.pk for checkpoint in checkpoints], reason=Reason.MENTIONS
    )
    mentioned = set(links.values_list("second", flat=True)) if checkpoints else set()
    return open_among(space, mentioned, now=now) if len(mentioned) > 1 else ()


def _nearest(task: str, names: Sequence[str]) -> list[str]:
    wanted = task_key(task)

    def likeness(name: str) -> float:
        key = task_key(name)
        inside_it = wanted in key or key in wanted
        return 1.0 if inside_it else SequenceMatcher(None, wanted, key).ratio()

    ranked = sorted(((likeness(name), name) for name in names), reverse=True)
    return [name for score, name in ranked if score >= MIN_LIKENESS][:NEAREST]
