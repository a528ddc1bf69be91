"""How memories stood at a moment, without their texts: what an undo compares and brings back."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeAlias

from django.utils.dateparse import parse_datetime

from memories.models import Memory, MemorySource

Snapshot: TypeAlias = dict[str, object]

# A change of one of these means that the memory moved on.
WATCHED = ("version", "state", "is_forgotten_by_person", "superseded_by_id", "expires_at")
# Brought back only where nobody changed them since.
ALSO_KEPT = (
    "state_at",
    "confirmed_at",
    "person_confirmed_at",
    "confirmations",
    "author",
    "client_key",
    "client_name",
    "agent_instance",
)
DATES = frozenset({"expires_at", "state_at", "confirmed_at", "person_confirmed_at"})


def snapshots(memories: Iterable[Memory]) -> dict[str, Snapshot]:
    """Return how each memory stands, by its id, in a form that JSON can hold."""
    return {str(memory.pk): _snapshot(memory) for memory in memories}


def moved_on(memory: Memory, then: Mapping[str, object]) -> bool:
    """Say whether the memory was changed since the snapshot `then`, or has lost its text."""
    now = _snapshot(memory)
    return memory.erased_at is not None or any(now[name] != then[name] for name in WATCHED)


def bring_back(memory: Memory, *, before: Snapshot, after: Snapshot) -> None:
    """Set the row in memory to how it stood before; what somebody changed after stays theirs."""
    now = _snapshot(memory)
    for name in (*WATCHED, *ALSO_KEPT):
        if name != "version" and now[name] == after[name]:
            value = before[name]
            setattr(memory, name, _moment(value) if name in DATES else value)
    said_since = _count(now) - _count(after)
    if said_since:
        memory.confirmations = _count(before) + said_since


def source_ids(memory_ids: Iterable[object]) -> set[str]:
    """Return the ids of the further sources that the memories have."""
    sources = MemorySource.objects.filter(memory__in=list(memory_ids))
    return {str(pk) for pk in sources.values_list("pk", flat=True)}


def _snapshot(memory: Memory) -> Snapshot:
    return {name: _plain(getattr(memory, name)) for name in (*WATCHED, *ALSO_KEPT)}


def _plain(value: object) -> object:
    if value is None or isinstance(value, int | str):
        return value
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _moment(value: object) -> datetime | None:
    return parse_datetime(value) if isinstance(value, str) else None


def _count(snapshot: Snapshot) -> int:
    count = snapshot["confirmations"]
    assert isinstance(count, int)
    return count
