"""Write what a plan says: new memories as they were, and what the file knows more of."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db import IntegrityError, transaction

from accounts.actors import Actor
from accounts.models import User
from memories.models import (
    Memory,
    MemoryLink,
    MemorySource,
    MemoryVector,
    MemoryVersion,
    Transfer,
    Verb,
)
from memories.rules.facts import fact_key, sha256
from memories.rules.paths import key_of
from memories.rules.transfer import Client, MemoryRecord, Person, Source, Version
from memories.rules.transfer_verdicts import LIVE, Verdict
from memories.services.activity import record as note
from memories.services.room import NoRoomError, need_room
from memories.services.transfer.elsewhere import SAME_FACT, task_of
from memories.services.transfer.planning import Planned
from memories.services.transfer.records import versions_of
from spaces.models import Space

_SAID = ("kind", "path", "content", "content_sha256", "source", "rationale", "checkpoint")
_STANDING = (
    "author", "version", "state", "state_at", "created_at", "updated_at", "confirmed_at",
    "confirmations", "person_confirmed_at", "expires_at", "erased_at",
)  # fmt: skip


def apply_plan(planned: Sequence[Planned], *, transfer: Transfer, actor: Actor) -> list[Planned]:
    """Write the plan inside its space; return what came of it where somebody was quicker."""
    planned = _within_room(transfer.space, planned)
    fresh = [each for each in planned if each.verdict == Verdict.NEW]
    writer = _Writer(transfer, actor)
    try:
        with transaction.atomic():
            writer.insert(fresh)
        taken: set[int] = set()
    except IntegrityError:
        taken = writer.insert_one_by_one(fresh)
    for each in planned:
        if each.verdict == Verdict.UPDATED:
            taken |= writer.update(each)
    return [_taken(each) if each.number in taken else each for each in planned]


def _within_room(space: Space, planned: Sequence[Planned]) -> Sequence[Planned]:
    """Refuse the last ones where the space has no room for all that would hold."""
    live = [each for each in planned if each.verdict == Verdict.NEW and _is_live(each)]
    refusal = ""
    for number in range(len(live), 0, -1):
        try:
            need_room(space, adding=number)
        except NoRoomError as error:
            refusal = error.sentence
        else:
            break
    else:
        number = 0
    too_many = {each.number for each in live[number:]}
    return [
        replace(each, verdict=Verdict.REFUSED, reason=refusal) if each.number in too_many else each
        for each in planned
    ]


def _is_live(planned: Planned) -> bool:
    return planned.record is not None and planned.record.state in LIVE


def _taken(planned: Planned) -> Planned:
    return replace(planned, verdict=Verdict.HERE, reason=SAME_FACT)


class _Writer:
    def __init__(self, transfer: Transfer, actor: Actor) -> None:
        self._space_id, self._actor = transfer.space_id, actor

    def insert(self, planned: Iterable[Planned]) -> None:
        """Write memories with their whole history; raises IntegrityError where one is taken."""
        records = [each.record for each in planned if each.record]
        memories = [self._filled(Memory(), record) for record in records]
        Memory.objects.bulk_create(memories)
        versions, sources = [], []
        for memory, record in zip(memories, records, strict=True):
            versions += [self._version(memory, each) for each in record.versions]
            sources += [self._source(memory, each) for each in record.sources]
        MemoryVersion.objects.bulk_create(versions)
        MemorySource.objects.bulk_create(sources, ignore_conflicts=True)
        for memory in memories:
            note(memory, self._actor, Verb.IMPORTED)

    def insert_one_by_one(self, planned: Iterable[Planned]) -> set[int]:
        """Write what there is room for; return the numbers of the others."""
        taken = set()
        for each in planned:
            try:
                with transaction.atomic():
                    self.insert([each])
            except IntegrityError:
                taken.add(each.number)
        return taken

    def update(self, planned: Planned) -> set[int]:
        """Bring a memory to where the file has it; return its number when its text is taken."""
        memory, record = planned.memory, planned.record
        assert memory is not None
        assert record is not None
        is_new_text = memory.content_sha256 != record.content_sha256
        written = {version.number for version in versions_of(memory)}
        try:
            with transaction.atomic():
                self._filled(memory, record).save()
        except IntegrityError:
            return {planned.number}
        more = [
            self._version(memory, each) for each in record.versions if each.number not in written
        ]
        MemoryVersion.objects.bulk_create(more)
        sources = [self._source(memory, each) for each in record.sources]
        MemorySource.objects.bulk_create(sources, ignore_conflicts=True)
        if is_new_text:
            MemoryVector.objects.filter(space_id=self._space_id, memory=memory).delete()
        # The file has the links that belong to the newer text; they come after all memories.
        MemoryLink.objects.filter(space_id=self._space_id, first=memory).delete()
        note(memory, self._actor, Verb.IMPORTED)
        return set()

    def _filled(self, memory: Memory, record: MemoryRecord) -> Memory:
        memory.pk, memory.space_id = record.id, self._space_id
        for name in (*_SAID, *_STANDING):
            setattr(memory, name, getattr(record, name))
        memory.is_forgotten_by_person = record.forgotten_by_person
        memory.task_key = task_of(record)
        memory.path_key = key_of(record.path)
        memory.fact_key = fact_key(record.content) if record.content else ""
        _stamp(memory, record.client)
        return memory

    def _version(self, memory: Memory, version: Version) -> MemoryVersion:
        row = MemoryVersion(
            space_id=self._space_id,
            memory=memory,
            number=version.number,
            operation=version.operation,
            reason=version.reason,
            author=version.author,
            changed_by=self._user(version.changed_by),
            created_at=version.created_at,
            erased_at=version.erased_at,
            **{name: getattr(version, name) for name in _SAID},
        )
        _stamp(row, version.client)
        return row

    def _source(self, memory: Memory, source: Source) -> MemorySource:
        return MemorySource(
            space_id=self._space_id,
            memory=memory,
            text=source.text,
            text_sha256=sha256(source.text),
            added_by=self._user(source.added_by),
            client_name=source.client_name,
            added_at=source.added_at,
        )

    def _user(self, person: Person) -> User | None:
        return self._actor.user if person else None


def _stamp(row: Memory | MemoryVersion, client: Client) -> None:
    row.client_key, row.client_name = client.key, client.name
    row.agent_instance = client.instance
