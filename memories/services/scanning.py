"""Find secrets in rows that are older than the rule that knows them, and redact them there."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import NotAllowedError
from brain.lib.sanitising import clean_tree, without_secrets
from brain.lib.sanitising.sanitize import HIDDEN
from memories.models import (
    Activity,
    Memory,
    MemorySource,
    MemoryVector,
    MemoryVersion,
    Operation,
    ReviewItem,
    Verb,
)
from memories.rules.checkpoints import task_key
from memories.rules.facts import sha256
from memories.services.activity import record
from memories.services.locking import locked_memory
from memories.services.revising import SameFactError
from memories.services.versions import derive, write_version
from spaces.isolation import inside
from spaces.models import Space

_TEXTS = ("content", "source", "rationale", "reason", "text", "client_name", "agent_instance")
_TREES = ("checkpoint", "undo", "evidence")
_ABOUT_MEMORIES = (MemoryVersion, MemorySource, Activity, ReviewItem)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the rows of one memory hold: types with counts, never a value."""

    memory_id: UUID
    path: str
    types: dict[str, int]


@dataclass(frozen=True, slots=True)
class Cleared:
    """In how many memories secrets were redacted, and how many still hold some."""

    redacted: int
    left: int


def find_secrets(space: Space) -> list[Finding]:
    """Look through every text about every memory of the space, history included."""
    found: defaultdict[UUID, Counter[str]] = defaultdict(Counter)
    with inside(space):
        for memory_id, row in _rows_of(space):
            redactor = Redactor(space)
            if redactor.changes(row):
                found[memory_id] += redactor.found
        paths = dict(Memory.objects.filter(space=space, pk__in=found).values_list("pk", "path"))
    return [
        Finding(pk, without_secrets(paths[pk], in_path=True).text, dict(found[pk]))
        for pk in sorted(found)
    ]


def secrets_in_details(space: Space) -> Counter[str]:
    """Return what the name and the description of the space hold."""
    texts = (space.name, space.description)
    return sum((without_secrets(text).types for text in texts), Counter[str]())


def redact_all(*, space: Space, actor: Actor) -> Cleared:
    """Redact every memory that holds a secret; what can't be is counted and left as it is."""
    redacted, left = 0, 0
    for finding in find_secrets(space):
        try:
            redact_secrets(space=space, actor=actor, memory_id=finding.memory_id)
        except SameFactError:
            left += 1
        else:
            redacted += 1
    return Cleared(redacted, left)


def redact_secrets(*, space: Space, actor: Actor, memory_id: UUID) -> Counter[str]:
    """Put markers in the place of all secrets that the memory holds; return how many of which type.

    The present text gets a new version. Earlier versions keep their numbers and dates and lose
    only the secrets. Raises SameFactError when another memory already says the redacted text.
    """
    if not actor.is_person:
        raise NotAllowedError("Only the person can do this.", hint="Ask them to.")
    now = timezone.now()
    with inside(space):
        memory = locked_memory(space, memory_id)
        history = Redactor(space)
        for row in _rows_about(memory):
            if history.changes(row):
                _save_row(row)
        present = Redactor(space)
        is_changed = present.changes(memory)
        found = present.found + history.found
        if is_changed:
            _save_present(memory, actor, found, now=now)
        elif found:
            record(memory, actor, Verb.REVISED, reason=_reason(found))
    return found


class Redactor:
    """Replaces secrets in rows as they are in memory, and counts them by type."""

    def __init__(self, space: Space) -> None:
        self.found: Counter[str] = Counter()
        self._with_personal = space.auto_redact_pii

    def changes(self, row: Model) -> bool:
        """Redact every text of the row; tell whether any held a secret."""
        before = self.found.total()
        for name in _TEXTS:
            if text := getattr(row, name, ""):
                setattr(row, name, self._text(text))
        for name in _TREES:
            if tree := getattr(row, name, None):
                setattr(row, name, clean_tree(tree, self._text))
        if path := getattr(row, "path", ""):
            row.path = self._text(path, in_path=True)  # type: ignore[attr-defined]
        return self.found.total() > before

    def _text(self, text: str, *, in_path: bool = False) -> str:
        clean = without_secrets(text, with_personal=self._with_personal, in_path=in_path)
        # Pages show hidden characters as what they are: alone, they are no reason to rewrite.
        del clean.types[HIDDEN]
        self.found += clean.types
        return clean.text if clean.types else text


def _rows_of(space: Space) -> Iterator[tuple[UUID, Model]]:
    """Go through the tables one after the other, with the memory that each row is about."""
    for memory in Memory.objects.in_space(space).iterator():
        yield memory.pk, memory
    for model in _ABOUT_MEMORIES:
        rows = model._default_manager.filter(space=space)  # noqa: SLF001
        for row in rows.iterator():
            if row.memory_id is not None:
                yield row.memory_id, row


def _rows_about(memory: Memory) -> Iterator[Model]:
    for model in _ABOUT_MEMORIES:
        rows = model._default_manager.filter(space=memory.space_id, memory=memory)  # noqa: SLF001
        yield from rows


def _save_row(row: Model) -> None:
    if isinstance(row, MemoryVersion):
        row.content_sha256 = sha256(row.content)
    if isinstance(row, MemorySource):
        row.text_sha256 = sha256(row.text)
        twins = MemorySource.objects.filter(memory=row.memory, text_sha256=row.text_sha256)
        if twins.exclude(pk=row.pk).exists():
            # Two sources that differed in their secrets only are one now.
            row.delete()
            return
    row.save()


def _save_present(memory: Memory, actor: Actor, found: Counter[str], *, now: datetime) -> None:
    memory.version += 1
    memory.updated_at = max(now, memory.updated_at)
    derive(memory)
    if memory.task_key:
        memory.task_key = task_key(memory.checkpoint.get("task", "")) or memory.task_key
    try:
        with transaction.atomic():
            memory.save()
    except IntegrityError as error:
        raise SameFactError(
            "Another memory already states the redacted text.", hint="Erase one of the two."
        ) from error
    # Made of the text with the secret; the job makes a new one.
    MemoryVector.objects.filter(space_id=memory.space_id, memory=memory).delete()
    reason = _reason(found)
    write_version(memory, actor, Operation.REVISED, reason=reason, now=now)
    record(memory, actor, Verb.REVISED, reason=reason)


def _reason(found: Counter[str]) -> str:
    kinds = ", ".join(f"{name} ({count})" for name, count in sorted(found.items()))
    return f"Redacted: {kinds}"
