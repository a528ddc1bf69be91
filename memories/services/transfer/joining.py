"""After the memories: what replaced what, links, and questions with their answers."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Memory, MemoryLink, ReviewItem, Transfer, TransferItem
from memories.rules.transfer import ReviewRecord
from memories.rules.transfer_reading import parsed_link, parsed_review
from memories.rules.transfer_verdicts import Verdict
from memories.services.cleaning import Cleaner
from memories.services.linking import relink
from memories.services.telling import tell
from memories.services.transfer.reading import Entry

WRITTEN = (Verdict.NEW, Verdict.UPDATED)


def join_successors(transfer: Transfer) -> None:
    """Say what replaced what, now that both are here; in one statement."""
    written = _written(transfer).exclude(successor_id=None)
    here = Memory.objects.filter(space_id=transfer.space_id)
    successor = written.filter(memory_id=OuterRef("pk"), successor_id__in=here.values("pk"))
    here.filter(pk__in=written.values("memory_id")).update(
        superseded_by=Subquery(successor.values("successor_id")[:1])
    )


def join_links(transfer: Transfer, entries: Sequence[Entry]) -> int:
    """Write the links of what was written; return how many lead nowhere and are left out."""
    links, left_out = [], 0
    for entry in entries:
        try:
            links.append(parsed_link(entry.text))
        except DomainError:
            left_out += 1
    here = _here(transfer, {id_ for link in links for id_ in (link.first, link.second)})
    firsts = _written(transfer).filter(memory_id__in={link.first for link in links})
    written = set(firsts.values_list("memory_id", flat=True))
    whole = [link for link in links if {link.first, link.second} <= here]
    MemoryLink.objects.bulk_create(
        [
            MemoryLink(
                space_id=transfer.space_id,
                first_id=link.first,
                second_id=link.second,
                reason=link.reason,
                weight=link.weight,
                made_at=link.made_at,
            )
            for link in whole
            if link.first in written
        ],
        ignore_conflicts=True,
    )
    return left_out + len(links) - len(whole)


def join_reviews(transfer: Transfer, entries: Sequence[Entry], *, actor: Actor) -> int:
    """Write questions and answers that are not here; return how many are about nothing here."""
    cleaner, records, left_out = Cleaner(transfer.space), [], 0
    for entry in entries:
        try:
            record = parsed_review(entry.text)
            evidence = cleaner.tree(record.evidence)
        except DomainError:
            left_out += 1
        else:
            records.append(record.model_copy(update={"evidence": evidence}))
    ids = {id_ for each in records for id_ in (each.memory, each.other) if id_}
    here = _here(transfer, ids)
    whole = [each for each in records if {each.memory, each.other or each.memory} <= here]
    ReviewItem.objects.bulk_create(
        [_item(transfer, each, actor) for each in whole], ignore_conflicts=True
    )
    tell(transfer.space_id, "review")
    return left_out + len(records) - len(whole)


def _item(transfer: Transfer, record: ReviewRecord, actor: Actor) -> ReviewItem:
    names = (
        "question", "memory_version", "other_version", "evidence", "state", "resolution",
        "resolved_at", "snoozed_until", "decision_id", "created_at", "updated_at",
    )  # fmt: skip
    return ReviewItem(
        id=record.id,
        space_id=transfer.space_id,
        memory_id=record.memory,
        other_id=record.other,
        resolved_by=actor.user if record.resolved_by else None,
        **{name: getattr(record, name) for name in names},
    )


def has_neighbours(transfer: Transfer) -> bool:
    """Say whether the space holds memories that the file knows nothing of."""
    known = TransferItem.objects.filter(
        space_id=transfer.space_id, transfer=transfer, memory_id__isnull=False
    )
    others = Memory.objects.filter(space_id=transfer.space_id)
    return others.exclude(pk__in=known.values("memory_id")).exists()


def join_neighbours(transfer: Transfer, *, after: int, size: int) -> int:
    """Link what was written to what was here before; return the last item's number, or 0."""
    items = _written(transfer).filter(number__gt=after).order_by("number")[:size]
    numbers = {item.memory_id: item.number for item in items if item.memory_id}
    rows = Memory.objects.select_for_update().filter(
        space_id=transfer.space_id, pk__in=numbers, state="active"
    )
    for memory in rows.order_by("pk"):
        relink(memory)
    return max(numbers.values(), default=0)


def _written(transfer: Transfer) -> QuerySet[TransferItem]:
    return TransferItem.objects.filter(
        space_id=transfer.space_id, transfer=transfer, verdict__in=WRITTEN, is_done=True
    )


def _here(transfer: Transfer, ids: set[UUID]) -> set[UUID]:
    rows = Memory.objects.filter(space_id=transfer.space_id, pk__in=ids)
    return set(rows.values_list("pk", flat=True))
