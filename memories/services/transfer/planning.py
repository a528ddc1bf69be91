"""Say what becomes of some memories of a file, given what is here now."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db.models import Min
from django.utils import timezone

from brain.lib.errors import DomainError
from brain.lib.sanitising import without_secrets
from memories.models import Memory, Transfer, TransferItem
from memories.rules.transfer import MemoryRecord
from memories.rules.transfer_reading import RecordError, parsed_memory
from memories.rules.transfer_verdicts import Verdict, verdict_beside
from memories.services.cleaning import Cleaner
from memories.services.transfer.cleaned import RecordCleaner
from memories.services.transfer.elsewhere import Elsewhere
from memories.services.transfer.reading import Entry
from memories.services.transfer.records import memory_record, with_history
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class Planned:
    """One memory of the file, as it would be stored, and what becomes of it."""

    number: int
    verdict: Verdict
    record: MemoryRecord | None = None
    reason: str = ""
    memory: Memory | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    planned: Sequence[Planned]
    redacted: Counter[str]


def plan(space: Space, transfer: Transfer, entries: Sequence[Entry]) -> Plan:
    """Decide about each record; call it inside the space. What is here is held until the commit."""
    cleaner, now = Cleaner(space), timezone.now()
    records = RecordCleaner(cleaner, origin=transfer.origin, here=settings.PUBLIC_URL)
    planned = [_read(entry, records, now=now) for entry in entries]
    planned = _without_twins(transfer, planned)
    planned = _beside_what_is_here(space, planned)
    fresh = [each.record for each in planned if each.record and is_new(each)]
    elsewhere = Elsewhere(space, transfer, fresh)
    return Plan([_beside_others(each, elsewhere) for each in planned], cleaner.redacted)


def is_new(planned: Planned) -> bool:
    return planned.verdict == Verdict.NEW


def _beside_others(each: Planned, elsewhere: Elsewhere) -> Planned:
    if each.record is None or not is_new(each):
        return each
    verdict, reason = elsewhere.verdict(each.record)
    return replace(each, verdict=verdict, reason=reason)


def _read(entry: Entry, records: RecordCleaner, *, now: datetime) -> Planned:
    try:
        record = records.memory(parsed_memory(entry.text, now=now))
    except DomainError as error:
        label = _label(json.loads(entry.text))
        return Planned(entry.number, Verdict.REFUSED, reason=error.sentence, label=label)
    return Planned(entry.number, Verdict.NEW, record, label=record.path)


def _label(record: object) -> str:
    """Return how a person finds a record that was refused: its path, or else its id."""
    said = record if isinstance(record, dict) else {}
    path, found = said.get("path"), said.get("id")
    if isinstance(path, str) and path:
        clean = without_secrets(path, in_path=True).text
        return "".join(char for char in clean if char.isprintable())[:255]
    return found if isinstance(found, str) and _is_id(found) else ""


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _without_twins(transfer: Transfer, planned: Sequence[Planned]) -> list[Planned]:
    """Refuse an id that the file has had before."""
    ids = [each.record.id for each in planned if each.record]
    items = TransferItem.objects.filter(
        space_id=transfer.space_id, transfer=transfer, memory_id__in=ids
    )
    earlier = (
        items.exclude(verdict=Verdict.REFUSED).values_list("memory_id").annotate(Min("number"))
    )
    first: dict[UUID | None, int] = dict(earlier.order_by())
    found = []
    for each in planned:
        if each.record and first.setdefault(each.record.id, each.number) < each.number:
            error = RecordError("id: The file has this memory twice.")
            found.append(replace(each, verdict=Verdict.REFUSED, record=None, reason=error.sentence))
        else:
            found.append(each)
    return found


def _beside_what_is_here(space: Space, planned: Iterable[Planned]) -> list[Planned]:
    planned = list(planned)
    ids = [each.record.id for each in planned if each.record]
    rows = Memory.objects.select_for_update().filter(space=space, pk__in=ids).order_by("pk")
    here = {memory.pk: memory for memory in with_history(rows)}
    found = []
    for each in planned:
        memory = here.get(each.record.id) if each.record else None
        if each.record is None or memory is None:
            found.append(each)
            continue
        verdict = verdict_beside(memory_record(memory), each.record)
        found.append(replace(each, verdict=verdict, memory=memory))
    return found
