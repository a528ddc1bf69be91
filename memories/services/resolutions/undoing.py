"""Take an answer back, for as long as nothing else has changed."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import (
    Memory,
    MemorySource,
    MemoryVersion,
    Operation,
    ReviewItem,
    ReviewState,
    Verb,
)
from memories.services.activity import record
from memories.services.affirming import only_the_person
from memories.services.resolutions.cases import locked, no_such_question
from memories.services.resolutions.snapshots import bring_back, moved_on
from memories.services.telling import tell
from memories.services.versions import derive, take_text, write_version
from spaces.isolation import inside
from spaces.models import Space


class NotUndoableError(DomainError):
    code = "not_undoable"
    hint = "Open the memory to change it by hand."


def undo_answer(*, space: Space, actor: Actor, item_id: UUID) -> ReviewItem:
    """Bring the memories back to how they stood, and open the question again.

    A text comes back as a new version. Raises NotUndoableError, and changes nothing, when one
    of the memories has moved on or the answer was given in another way.
    """
    only_the_person(actor)
    with inside(space):
        found = ReviewItem.objects.filter(space=space, pk=item_id).first()
        if found is None:
            raise no_such_question()
        memories = locked(space, found.memory_ids)
        item = ReviewItem.objects.select_for_update().get(pk=found.pk)
        if item.state == ReviewState.RESOLVED:
            _take_back(item, memories, actor)
        elif item.state == ReviewState.OPEN:
            raise NotUndoableError("This question is open.", hint="There is nothing to undo.")
        _reopen(item, memories)
        record(memories[item.memory_id], actor, Verb.UNDONE)
    tell(space.pk, "review")
    return item


def _take_back(item: ReviewItem, memories: dict[UUID, Memory], actor: Actor) -> None:
    if not item.undo:
        raise NotUndoableError("This question was settled by a change of the memory itself.")
    before, after = item.undo["before"], item.undo["after"]
    if any(moved_on(memory, after[str(pk)]) for pk, memory in memories.items()):
        raise NotUndoableError("Something changed since.")
    # A text that goes makes room for the one that comes back.
    rewritten_first = sorted(
        memories.values(),
        key=lambda each: before[str(each.pk)]["version"] == after[str(each.pk)]["version"],
    )
    for memory in rewritten_first:
        then, since = before[str(memory.pk)], after[str(memory.pk)]
        bring_back(memory, before=then, after=since)
        if then["version"] == since["version"]:
            _save(memory)
        else:
            _take_text(memory, then["version"])
            _save(memory)
            _write_restored(memory, actor, number=then["version"])
    MemorySource.objects.filter(pk__in=item.undo["sources"]).delete()
    _open_again(item.undo["closed"])


def _take_text(memory: Memory, number: int) -> None:
    version = MemoryVersion.objects.of(memory).get(number=number)
    if version.erased_at is not None:
        raise NotUndoableError("The text of that version was erased.")
    take_text(memory, version)
    memory.version += 1
    memory.updated_at = max(timezone.now(), memory.updated_at)
    derive(memory)


def _save(memory: Memory) -> None:
    try:
        with transaction.atomic():
            memory.save()
    except IntegrityError as error:
        raise NotUndoableError("Another memory states the same by now.") from error


def _write_restored(memory: Memory, actor: Actor, *, number: int) -> None:
    reason = f"version {number}"
    write_version(memory, actor, Operation.RESTORED, reason=reason, now=memory.updated_at)


def _reopen(item: ReviewItem, memories: dict[UUID, Memory]) -> None:
    item.state, item.resolution, item.undo = ReviewState.OPEN, "", {}
    item.resolved_by = item.resolved_at = item.snoozed_until = item.decision_id = None
    item.memory_version = memories[item.memory_id].version
    if item.other_id:
        item.other_version = memories[item.other_id].version
    item.updated_at = timezone.now()
    try:
        with transaction.atomic():
            item.save()
    except IntegrityError as error:
        raise NotUndoableError(
            "The same was asked again meanwhile.", hint="Answer that question instead."
        ) from error


def _open_again(item_ids: list[str]) -> None:
    """Open what the answer had closed, unless it was asked anew."""
    for item in ReviewItem.objects.filter(pk__in=item_ids, state=ReviewState.RESOLVED):
        asked_anew = ReviewItem.objects.filter(
            space_id=item.space_id,
            question=item.question,
            memory_id=item.memory_id,
            other_id=item.other_id,
        ).unsettled()
        if not asked_anew.exists():
            ReviewItem.objects.filter(pk=item.pk).update(
                state=ReviewState.OPEN, resolution="", resolved_by=None, resolved_at=None
            )
