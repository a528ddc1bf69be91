"""What other memories, under other ids, mean for the new ones of a file."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Max

from memories.models import Kind, Memory, State, Transfer, TransferItem
from memories.rules.checkpoints import task_key
from memories.rules.facts import fact_key
from memories.rules.transfer import MemoryRecord
from memories.rules.transfer_verdicts import LIVE, Verdict
from spaces.models import Space

SAME_FACT = "Another memory here already says the same."
SAME_TASK = "Another checkpoint of this task holds here."


class Elsewhere:
    """What is here of the facts and tasks that some records state; three queries for all."""

    def __init__(self, space: Space, transfer: Transfer, records: Sequence[MemoryRecord]) -> None:
        live = [record for record in records if record.state in LIVE]
        keys = {fact_key(record.content) for record in live}
        self._facts = _live_facts(space, keys)
        self._tasks = _live_tasks(space, {task_of(record) for record in live} - {""})
        self._declined = _declined(space, transfer, keys)

    def verdict(self, record: MemoryRecord) -> tuple[Verdict, str]:
        """Say what becomes of a memory that is not here, and why where it is not plain."""
        if record.state not in LIVE:
            return Verdict.NEW, ""
        if record.kind == "checkpoint":
            is_taken = record.state == "active" and task_of(record) in self._tasks
            return (Verdict.KEPT, SAME_TASK) if is_taken else (Verdict.NEW, "")
        key = fact_key(record.content)
        if (record.kind, key) in self._facts:
            return Verdict.HERE, SAME_FACT
        forgotten_at, affirmed_at = self._declined.get(key), record.person_confirmed_at
        if forgotten_at and not (affirmed_at and affirmed_at > forgotten_at):
            return Verdict.FORGOTTEN, ""
        return Verdict.NEW, ""


def task_of(record: MemoryRecord) -> str:
    """Return what the task column holds; it is never empty for a checkpoint."""
    if record.kind != "checkpoint":
        return ""
    if record.erased_at is not None:
        return f"erased {record.id}"
    return task_key(record.checkpoint.get("task", "")) or f"task {record.id}"


def _live_facts(space: Space, keys: Iterable[str]) -> set[tuple[str, str]]:
    live = Memory.objects.filter(
        space=space, fact_key__in=list(keys), state__in=[State.ACTIVE, State.HELD]
    )
    return set(live.values_list("kind", "fact_key"))


def _live_tasks(space: Space, tasks: Iterable[str]) -> set[str]:
    live = Memory.objects.active().filter(
        space=space, kind=Kind.CHECKPOINT, task_key__in=list(tasks)
    )
    return set(live.values_list("task_key", flat=True))


def _declined(space: Space, transfer: Transfer, keys: Iterable[str]) -> dict[str, datetime]:
    """Return when the person forgot which facts here, where the file knows nothing of it."""
    known = TransferItem.objects.filter(
        space=space, transfer=transfer, is_declined=True, memory_id__isnull=False
    )
    forgotten = Memory.objects.filter(
        space=space, fact_key__in=list(keys), is_forgotten_by_person=True
    ).exclude(pk__in=known.values("memory_id"))
    return dict(forgotten.values_list("fact_key").annotate(Max("state_at")).order_by())
