"""Carry an import on, a bounded number of records a transaction; safe to repeat at any point."""

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar
from uuid import UUID

from django.utils import timezone

from accounts.actors import Actor
from memories.models import Stage, Transfer, TransferItem, TransferPart
from memories.rules.transfer import FORMAT
from memories.services.transfer.applying import apply_plan
from memories.services.transfer.joining import (
    has_neighbours,
    join_links,
    join_neighbours,
    join_reviews,
    join_successors,
)
from memories.services.transfer.planning import Planned, plan
from memories.services.transfer.reading import Entry, FileError, entries
from memories.services.transfer.storing import StoredFile
from spaces.isolation import inside
from spaces.models import Space

BATCH = 50
T = TypeVar("T")


class SomebodyElseError(Exception):
    """Another worker carries this import on, or it was removed."""


def go_on(space: Space, transfer_id: UUID, *, seconds: float = 60.0) -> bool:
    """Work on the import for about so long; say whether there is more to do.

    Raises nothing that the file could cause: a file that can't be read ends the import.
    """
    with inside(space):
        rows = Transfer.objects.select_related("user", "space").filter(space=space)
        transfer = rows.at_work().filter(pk=transfer_id).first()
    if transfer is None:
        return False
    deadline = time.monotonic() + seconds
    try:
        worker = _Worker(space, transfer)
        if transfer.stage == Stage.CHECKING:
            return not worker.check(deadline)
        return not worker.bring_in(deadline)
    except FileError as error:
        _end(space, transfer, Stage.FAILED, problem=error.sentence)
    except SomebodyElseError:
        pass
    return False


class _Worker:
    def __init__(self, space: Space, transfer: Transfer) -> None:
        self._space, self._transfer = space, transfer
        self._file = StoredFile(transfer)
        # The person's own doing, carried out by a job.
        self._actor = Actor(transfer.user, "job")

    def check(self, deadline: float) -> bool:
        """Look the whole file through; say whether it is done."""
        counts, seen = Counter[str](), 0
        for batch in _batches(self._entries(), BATCH):
            counts.update(entry.section for entry in batch)
            found = [entry for entry in batch if entry.section == "memories"]
            seen += len(found)
            if seen > self._transfer.position:
                self._check(found, done=seen)
                if time.monotonic() > deadline:
                    return False
        with inside(self._space):
            transfer = self._held(self._transfer.position)
            transfer.memories, transfer.links = counts["memories"], counts["links"]
            transfer.reviews = counts["reviews"]
            transfer.stage, transfer.position = Stage.READY, 0
            self._moved(transfer)
        return True

    def bring_in(self, deadline: float) -> bool:
        """Write memories, then what joins them; say whether it is done."""
        start = 0
        for section, size in (
            ("memories", self._transfer.memories),
            ("links", self._transfer.links),
            ("reviews", self._transfer.reviews),
        ):
            if self._transfer.position < start + size:
                self._file = StoredFile(self._transfer)
                found = (entry for entry in self._entries() if entry.section == section)
                rest = islice(found, self._transfer.position - start, None)
                for batch in _batches(rest, BATCH):
                    self._write(section, batch)
                    if time.monotonic() > deadline:
                        return False
            start += size
            if section == "memories":
                with inside(self._space):
                    join_successors(self._transfer)
        if not self._join_neighbours(start, deadline):
            return False
        _end(self._space, self._transfer, Stage.DONE)
        return True

    def _entries(self) -> Iterator[Entry]:
        for entry in entries(self._file):  # type: ignore[arg-type]
            if entry.number or entry.section == "space":
                yield entry
            else:
                self._take_head(entry)

    def _take_head(self, entry: Entry) -> None:
        value = "".join(char for char in str(json.loads(entry.text)) if char.isprintable())
        if entry.section == "format" and value != FORMAT:
            raise FileError(
                "The file has another format than this version knows.",
                hint=f"It should say {FORMAT}.",
            )
        if entry.section == "origin":
            self._transfer.origin = value[:255]
        if entry.section == "exported_at":
            self._transfer.exported_at = value[:40]

    def _check(self, batch: Sequence[Entry], *, done: int) -> None:
        fresh = [entry for entry in batch if entry.number > self._transfer.position]
        with inside(self._space):
            transfer = self._held(self._transfer.position)
            found = plan(self._space, transfer, fresh)
            TransferItem.objects.bulk_create(_item(transfer, each) for each in found.planned)
            self._count(transfer, found.redacted)
            transfer.position = done
            self._moved(transfer)

    def _write(self, section: str, batch: Sequence[Entry]) -> None:
        with inside(self._space):
            transfer = self._held(self._transfer.position)
            if section == "memories":
                self._write_memories(transfer, batch)
            elif section == "links":
                transfer.left_out += join_links(transfer, batch)
            else:
                transfer.left_out += join_reviews(transfer, batch, actor=self._actor)
            transfer.position += len(batch)
            self._moved(transfer)

    def _write_memories(self, transfer: Transfer, batch: Sequence[Entry]) -> None:
        found = plan(self._space, transfer, batch)
        outcome = apply_plan(found.planned, transfer=transfer, actor=self._actor)
        self._count(transfer, found.redacted)
        items = TransferItem.objects.filter(
            space=self._space, transfer=transfer, number__in=[entry.number for entry in batch]
        )
        by_number = {item.number: item for item in items}
        for each in outcome:
            item = by_number[each.number]
            item.verdict, item.reason, item.is_done = each.verdict, each.reason[:300], True
        TransferItem.objects.bulk_update(by_number.values(), ["verdict", "reason", "is_done"])

    def _join_neighbours(self, start: int, deadline: float) -> bool:
        """Link what came in to what was here before; the position goes on past the records."""
        with inside(self._space):
            has_more = has_neighbours(self._transfer)
        while has_more:
            if time.monotonic() > deadline:
                return False
            with inside(self._space):
                transfer = self._held(self._transfer.position)
                after = transfer.position - start
                last = join_neighbours(transfer, after=after, size=BATCH)
                has_more = last > after
                transfer.position = start + max(last, after)
                self._moved(transfer)
        return True

    def _held(self, position: int) -> Transfer:
        """Return the row, which nobody else carries on until the commit."""
        rows = Transfer.objects.select_for_update(of=("self",)).select_related("space")
        transfer = rows.filter(space=self._space, pk=self._transfer.pk).first()
        if transfer is None or (transfer.stage, transfer.position) != (
            self._transfer.stage,
            position,
        ):
            raise SomebodyElseError
        transfer.origin, transfer.exported_at = self._transfer.origin, self._transfer.exported_at
        return transfer

    def _count(self, transfer: Transfer, redacted: Counter[str]) -> None:
        transfer.redacted = dict(sorted((Counter(transfer.redacted) + redacted).items()))

    def _moved(self, transfer: Transfer) -> None:
        transfer.parts_read = self._file.parts_read
        transfer.moved_at, transfer.tries = timezone.now(), 0
        transfer.save()
        self._transfer = transfer


def _end(space: Space, transfer: Transfer, stage: Stage, *, problem: str = "") -> None:
    """Finish the import; the file goes, what was found stays for a while."""
    now = timezone.now()
    with inside(space):
        TransferPart.objects.filter(space=space, transfer=transfer).delete()
        Transfer.objects.filter(space=space, pk=transfer.pk).update(
            stage=stage, problem=problem, finished_at=now, moved_at=now
        )


def _item(transfer: Transfer, planned: Planned) -> TransferItem:
    record = planned.record
    return TransferItem(
        space_id=transfer.space_id,
        transfer=transfer,
        number=planned.number,
        memory_id=record.id if record else None,
        path=planned.label,
        verdict=planned.verdict,
        reason=planned.reason[:300],
        successor_id=record.superseded_by if record else None,
        is_declined=bool(record and record.forgotten_by_person),
    )


def _batches(found: Iterator[T], size: int) -> Iterator[list[T]]:
    while batch := list(islice(found, size)):
        yield batch
