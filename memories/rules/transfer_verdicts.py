"""What an import does with one memory: pure comparison of the file's record with the one here."""

from datetime import datetime
from enum import StrEnum

from memories.rules.transfer import MemoryRecord, Version

LIVE = frozenset({"active", "held"})


class Verdict(StrEnum):
    """What becomes of one memory of the file."""

    NEW = "new"
    UPDATED = "updated"
    HERE = "here"
    KEPT = "kept"
    APART = "apart"
    FORGOTTEN = "forgotten"
    REFUSED = "refused"


def verdict_beside(here: MemoryRecord, there: MemoryRecord) -> Verdict:
    """Compare a memory that is here with the record of the same id in the file.

    The file wins only where it goes on from exactly what is here; nothing that was forgotten,
    erased or replaced here holds again because of a file.
    """
    if here == there:
        return Verdict.HERE
    return _refused_by_state(here, there) or _by_history(here, there)


def _refused_by_state(here: MemoryRecord, there: MemoryRecord) -> Verdict | None:
    if here.erased_at is not None or (here.state == "forgotten" and there.state != "forgotten"):
        return Verdict.FORGOTTEN
    is_over = here.state != "active" and there.state in LIVE
    return Verdict.KEPT if is_over or there.erased_at is not None else None


def _by_history(here: MemoryRecord, there: MemoryRecord) -> Verdict:
    shared = min(here.version, there.version)
    if any(_differ(here.versions[number], there.versions[number]) for number in range(shared)):
        return Verdict.APART
    if here.version != there.version:
        return Verdict.UPDATED if there.version > here.version else Verdict.KEPT
    return Verdict.UPDATED if last_change(there) > last_change(here) else Verdict.KEPT


def last_change(record: MemoryRecord) -> datetime:
    """Return when something about the memory last changed: text, state or confirmation."""
    moments = [record.updated_at, record.state_at, record.confirmed_at]
    if record.person_confirmed_at is not None:
        moments.append(record.person_confirmed_at)
    moments += [source.added_at for source in record.sources]
    return max(moments)


def _differ(here: Version, there: Version) -> bool:
    """Say whether two versions of one number say something else; what was erased says nothing."""
    if here.erased_at is not None or there.erased_at is not None:
        return False
    names = ("kind", "path", "content_sha256", "source", "rationale", "checkpoint")
    return any(getattr(here, name) != getattr(there, name) for name in names)
