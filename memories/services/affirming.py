"""What only the person does: confirm, restore, erase for good."""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotAllowedError, NotFoundError
from memories.models import (
    Kind,
    Memory,
    MemoryVector,
    MemoryVersion,
    Operation,
    Question,
    State,
    Verb,
)
from memories.rules.lifetimes import EXPIRING
from memories.services.activity import record
from memories.services.asking import settle
from memories.services.expiring import lifetimes
from memories.services.locking import changing, locked_memory
from memories.services.revising import SameFactError
from memories.services.room import need_room
from memories.services.tidying import forget_queries_about
from memories.services.versions import author_of, derive, stamp, take_text, write_version
from spaces.isolation import inside
from spaces.models import Space


class NotConfirmableError(DomainError):
    code = "not_confirmable"
    hint = "Restore it first."


class ErasedError(DomainError):
    code = "erased"
    hint = "It cannot be brought back."


class CurrentVersionError(DomainError):
    code = "current_version"
    hint = "Edit the memory first, or erase the whole memory."


def confirm_memory(*, space: Space, actor: Actor, memory_id: UUID) -> Memory:
    """Say "yes, this holds": counts as a confirmation, renews a date, and lets a held one live."""
    only_the_person(actor)
    now = timezone.now()
    with inside(space):
        memory = locked_memory(space, memory_id)
        if memory.state not in {State.ACTIVE, State.HELD}:
            raise NotConfirmableError("Only a memory that holds can be confirmed.")
        memory.confirmations += 1
        memory.confirmed_at = memory.person_confirmed_at = now
        _renew(memory, now=now)
        if memory.state == State.HELD:
            memory.state, memory.state_at = State.ACTIVE, now
        memory.save()
        record(memory, actor, Verb.CONFIRMED)
        settle(Question.RELEARNED, memory, actor=actor, resolution="confirmed")
        settle(Question.CHANGED_BY_AGENT, memory, actor=actor, resolution="accepted")
    return memory


def restore_memory(*, space: Space, actor: Actor, memory_id: UUID) -> Memory:
    """Bring a forgotten or replaced memory back as it was, as the person's own word."""
    only_the_person(actor)
    now = timezone.now()
    with changing(space):
        memory = locked_memory(space, memory_id)
        _refuse_erased(memory)
        if memory.state == State.ACTIVE:
            return memory
        _need_room_for(memory)
        _make_active(memory, now=now)
        memory.person_confirmed_at = now
        _renew(memory, now=now)
        _save_as_live(memory)
        record(memory, actor, Verb.RESTORED)
        settle(Question.CHANGED_BY_AGENT, memory, actor=actor, resolution="restored")
        settle(Question.RELEARNED, memory, actor=actor, resolution="confirmed")
    return memory


def restore_version(*, space: Space, actor: Actor, memory_id: UUID, number: int) -> Memory:
    """Make the text of an earlier version the present one, as a new version that holds."""
    only_the_person(actor)
    now = timezone.now()
    with changing(space):
        memory = locked_memory(space, memory_id)
        _refuse_erased(memory)
        version = _version(memory, number)
        if version.erased_at is not None:
            raise ErasedError("The text of this version was erased.")
        if number == memory.version and memory.state == State.ACTIVE:
            return memory
        _need_room_for(memory)
        _take_over(memory, version, actor, now=now)
        _save_as_live(memory)
        write_version(memory, actor, Operation.RESTORED, reason=f"version {number}", now=now)
        record(memory, actor, Verb.RESTORED)
        settle(Question.CHANGED_BY_AGENT, memory, actor=actor, resolution="restored")
        settle(Question.RELEARNED, memory, actor=actor, resolution="confirmed")
    return memory


def erase_memory(*, space: Space, actor: Actor, memory_id: UUID) -> Memory:
    """Erase every text and hash of the memory for good; the tombstone and the events stay."""
    only_the_person(actor)
    with inside(space):
        memory = locked_memory(space, memory_id)
        erase_locked(memory, actor, now=timezone.now())
    return memory


def erase_locked(memory: Memory, actor: Actor, *, now: datetime) -> None:
    """Erase a memory that the open transaction has locked; the person asked, or their settings."""
    for version in MemoryVersion.objects.of(memory):
        _blank(version, now=now)
    memory.more_sources.all().delete()
    MemoryVector.objects.filter(space_id=memory.space_id, memory=memory).delete()
    memory.activity.update(reason="")
    forget_queries_about(memory)
    if memory.state != State.FORGOTTEN:
        memory.state, memory.state_at = State.FORGOTTEN, now
        memory.is_forgotten_by_person = True
    if memory.kind == Kind.CHECKPOINT:
        memory.task_key = f"erased {memory.pk}"
    memory.path = memory.path_key = memory.fact_key = ""
    memory.updated_at = max(now, memory.updated_at)
    _blank(memory, now=now)
    record(memory, actor, Verb.ERASED)
    for question in Question:
        settle(question, memory, actor=actor, resolution="erased")


def erase_version(*, space: Space, actor: Actor, memory_id: UUID, number: int) -> MemoryVersion:
    """Erase the text of one earlier version for good; its number and dates stay."""
    only_the_person(actor)
    with inside(space):
        memory = locked_memory(space, memory_id)
        version = _version(memory, number)
        if number == memory.version and memory.erased_at is None:
            raise CurrentVersionError("This is the present text of the memory.")
        if version.erased_at is None:
            _blank(version, now=timezone.now())
            # The reason of a change may quote what it changed.
            memory.activity.filter(version=number).update(reason="")
            record(memory, actor, Verb.VERSION_ERASED, version=number)
    return version


def only_the_person(actor: Actor) -> None:
    if not actor.is_person:
        raise NotAllowedError("Only the person can do this.", hint="Ask them to.")


def _refuse_erased(memory: Memory) -> None:
    if memory.erased_at is not None:
        raise ErasedError("This memory was erased for good.")


def _version(memory: Memory, number: int) -> MemoryVersion:
    version = MemoryVersion.objects.of(memory).filter(number=number).first()
    if version is None:
        raise NotFoundError("This memory has no version of this number.")
    return version


def _take_over(memory: Memory, version: MemoryVersion, actor: Actor, *, now: datetime) -> None:
    """Put the text of `version` into the row in memory, as what the person says now."""
    take_text(memory, version)
    memory.author = author_of(actor)
    memory.version += 1
    memory.person_confirmed_at = now
    memory.updated_at = max(now, memory.updated_at)
    if memory.state != State.ACTIVE:
        _make_active(memory, now=now)
    if memory.kind not in EXPIRING:
        memory.expires_at = None
    elif memory.expires_at is None or memory.is_expired(now=now):
        _renew(memory, now=now)
    stamp(memory, actor)
    derive(memory)


def _need_room_for(memory: Memory) -> None:
    if memory.state not in {State.ACTIVE, State.HELD}:
        need_room(memory.space)


def _make_active(memory: Memory, *, now: datetime) -> None:
    memory.state, memory.state_at = State.ACTIVE, now
    memory.is_forgotten_by_person = False
    memory.superseded_by = None


def _renew(memory: Memory, *, now: datetime) -> None:
    """Give a lapsing memory its whole lifetime again, never a shorter one."""
    renewed = lifetimes().expiry(memory.kind, now=now)
    if renewed and (memory.expires_at is None or memory.expires_at < renewed):
        memory.expires_at = renewed


def _save_as_live(memory: Memory) -> None:
    try:
        with transaction.atomic():
            memory.save()
    except IntegrityError as error:
        raise SameFactError(
            "Another memory that holds already states this.",
            hint="Forget that one first, or leave this one as history.",
        ) from error


def _blank(row: Memory | MemoryVersion, *, now: datetime) -> None:
    row.content = row.content_sha256 = row.source = row.rationale = ""
    row.checkpoint = {}
    if isinstance(row, MemoryVersion):
        row.path = row.reason = ""
    row.erased_at = row.erased_at or now
    row.save()
