"""Rows as records of the export file."""

from typing import Any
from uuid import UUID

from django.db.models import Model, Prefetch

from memories.models import Activity, Memory, MemoryLink, MemorySource, MemoryVersion, ReviewItem
from memories.models.memory import MemoryQuerySet
from memories.rules.transfer import (
    Client,
    EventRecord,
    LinkRecord,
    MemoryRecord,
    Person,
    ReviewRecord,
    Source,
    SpaceRecord,
    Version,
)
from spaces.models import Space

_SAID = (
    "kind", "path", "content", "content_sha256", "source", "rationale", "checkpoint", "author",
    "created_at", "erased_at",
)  # fmt: skip
_STANDING = (
    "version", "state", "state_at", "updated_at", "confirmed_at", "confirmations",
    "person_confirmed_at", "expires_at",
)  # fmt: skip

# `model_construct` checks nothing: an old row that today's rules would refuse is exported as well.


def with_history(memories: MemoryQuerySet) -> MemoryQuerySet:
    """Fetch what a record needs and nothing else; as lists, which cost half of query sets."""
    return memories.defer("words").prefetch_related(
        Prefetch("versions", to_attr="every_version"),
        Prefetch("more_sources", to_attr="every_source"),
    )


def versions_of(memory: Memory) -> list[MemoryVersion]:
    """Return all versions of a memory that came with its history."""
    versions: list[MemoryVersion] = vars(memory)["every_version"]
    return versions


def memory_record(memory: Memory) -> MemoryRecord:
    """Return the record of a memory that came with its history."""
    found: list[MemorySource] = vars(memory)["every_source"]
    sources = sorted(found, key=lambda row: (row.added_at, row.text_sha256))
    versions = sorted(versions_of(memory), key=lambda row: row.number)
    return MemoryRecord.model_construct(
        **_named(memory, *_SAID, *_STANDING),
        id=memory.pk,
        client=_client(memory),
        forgotten_by_person=memory.is_forgotten_by_person,
        superseded_by=memory.superseded_by_id,
        sources=[_source(row) for row in sources],
        versions=[_version(row) for row in versions],
    )


def link_record(link: MemoryLink) -> LinkRecord:
    return LinkRecord.model_construct(
        **_named(link, "reason", "weight", "made_at"), first=link.first_id, second=link.second_id
    )


def review_record(item: ReviewItem) -> ReviewRecord:
    names = (
        "question", "memory_version", "other_version", "evidence", "state", "resolution",
        "resolved_at", "snoozed_until", "decision_id", "created_at", "updated_at",
    )  # fmt: skip
    return ReviewRecord.model_construct(
        **_named(item, *names),
        id=item.pk,
        memory=item.memory_id,
        other=item.other_id,
        resolved_by=_person(item.resolved_by_id),
    )


def event_record(line: Activity) -> EventRecord:
    names = ("verb", "version", "reason", "door", "is_agent", "at")
    return EventRecord.model_construct(
        **_named(line, *names),
        id=line.pk,
        memory=line.memory_id,
        user=_person(line.user_id),
        client=_client(line),
    )


def space_record(space: Space) -> SpaceRecord:
    return SpaceRecord.model_construct(
        id=space.pk,
        name=space.name,
        description=space.description,
        language=space.language,
        auto_redact_pii=space.auto_redact_pii,
    )


def _version(row: MemoryVersion) -> Version:
    return Version.model_construct(
        **_named(row, *_SAID, "number", "operation", "reason"),
        changed_by=_person(row.changed_by_id),
        client=_client(row),
    )


def _source(row: MemorySource) -> Source:
    return Source.model_construct(
        text=row.text,
        added_by=_person(row.added_by_id),
        client_name=row.client_name,
        added_at=row.added_at,
    )


def _client(row: Memory | MemoryVersion | Activity) -> Client:
    return Client.model_construct(
        key=row.client_key, name=row.client_name, instance=row.agent_instance
    )


def _person(user_id: UUID | None) -> Person:
    return "owner" if user_id else None


def _named(row: Model, *names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}
