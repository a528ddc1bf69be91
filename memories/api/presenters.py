"""Rows as the REST API shows them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone

from memories.api.schemas import (
    ActivityOut,
    MemoryOut,
    NearOut,
    QuestionOut,
    VersionOut,
    WrittenOut,
)
from memories.models import Activity, Memory, MemoryVersion, ReviewItem
from memories.queries.programs import memories_of
from memories.services.once import Written
from spaces.models import Space


def memory_out(memory: Memory, *, now: datetime | None = None) -> MemoryOut:
    fields: dict[str, Any] = {
        name: getattr(memory, name)
        for name in (
            "id", "kind", "path", "content", "author", "source", "rationale", "version",
            "confirmations", "expires_at",
        )
    }  # fmt: skip
    fields["state"] = memory.standing(now=now or timezone.now())
    return MemoryOut(
        **fields,
        client=memory.client_name,
        created=memory.created_at,
        updated=memory.updated_at,
        confirmed=memory.confirmed_at,
        superseded_by=memory.superseded_by_id,
    )


def memories_out(memories: Iterable[Memory]) -> list[MemoryOut]:
    now = timezone.now()
    return [memory_out(memory, now=now) for memory in memories]


def written_out(space: Space, written: Written) -> WrittenOut:
    """Return the outcome with the rows that it names, as they stand now."""
    ids = [written.memory_id, *written.similar, *written.disagrees_with]
    rows = {str(memory.pk): memory for memory in memories_of(space, [UUID(each) for each in ids])}
    outcome: Any = written.outcome
    return WrittenOut(
        outcome=outcome,
        memory=memory_out(rows[written.memory_id]),
        redacted=written.redacted,
        similar=_near(rows, written.similar),
        disagrees_with=_near(rows, written.disagrees_with),
    )


def _near(rows: dict[str, Memory], ids: Sequence[str]) -> list[NearOut]:
    found = [rows[each] for each in ids if each in rows]
    return [NearOut(id=memory.pk, kind=memory.kind, path=memory.path) for memory in found]  # type: ignore[arg-type]


def tagged(response: HttpResponse, version: int) -> None:
    """Name the version in the ETag, for `If-Match` (RFC 9110, 13.1.1)."""
    response["ETag"] = f'"{version}"'


def version_out(version: MemoryVersion) -> VersionOut:
    fields: dict[str, Any] = {
        name: getattr(version, name)
        for name in (
            "number", "kind", "path", "content", "source", "rationale", "operation", "reason",
            "author", "erased_at",
        )
    }  # fmt: skip
    return VersionOut(
        **fields,
        sha256=version.content_sha256,
        client=version.client_name,
        created=version.created_at,
    )


def question_out(item: ReviewItem) -> QuestionOut:
    return QuestionOut(
        id=item.pk,
        question=item.question,
        memory=item.memory_id,
        other=item.other_id,
        seen=item.seen,
        evidence=item.evidence,
        state=item.state,  # type: ignore[arg-type]
        resolution=item.resolution,
        created=item.created_at,
    )


def activity_out(line: Activity) -> ActivityOut:
    return ActivityOut(
        at=line.at,
        verb=line.verb,
        memory=line.memory_id,
        version=line.version,
        reason=line.reason,
        by_agent=line.is_agent,
        client=line.client_name,
        agent_instance=line.agent_instance,
        door=line.door,
    )
