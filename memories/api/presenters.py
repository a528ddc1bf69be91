"""Rows as the REST API shows them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone

from memories.api.schemas import (
    ActivityOut,
    LinkOut,
    MemoryDetailOut,
    MemoryOut,
    NearOut,
    QuestionOut,
    SourceOut,
    VersionOut,
    WrittenOut,
)
from memories.api.transfer_schemas import ImportItemOut, ImportOut
from memories.models import Activity, Memory, MemorySource, MemoryVersion, ReviewItem
from memories.queries.detail import Detail
from memories.queries.links import Neighbour
from memories.queries.programs import memories_of
from memories.queries.transfers import Listed, Shown
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


def detail_out(detail: Detail) -> MemoryDetailOut:
    memory = detail.memory
    fields = {str(name): str(text) for name, text in memory.checkpoint_fields.items()}
    return MemoryDetailOut(
        **memory_out(memory).dict(),
        sha256=memory.content_sha256,
        checkpoint=fields,
        more_sources=[_source(row) for row in detail.more_sources],
        replaces=[row.pk for row in detail.replaces],
        links=[_link(each) for each in detail.links],
        questions=[item.pk for item in detail.questions],
    )


def _source(row: MemorySource) -> SourceOut:
    return SourceOut(
        text=row.text,
        by_person=not row.client_name,
        client=row.client_name,
        added=row.added_at,
    )


def _link(neighbour: Neighbour) -> LinkOut:
    standing: Any = neighbour.standing
    code: Any = neighbour.code.value
    return LinkOut(memory=neighbour.memory.pk, state=standing, reason=code)


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


def import_out(found: Shown) -> ImportOut:
    transfer = found.transfer
    fields: dict[str, Any] = {
        name: getattr(transfer, name)
        for name in (
            "stage", "file_name", "size", "percent", "origin", "memories", "redacted", "left_out",
            "problem",
        )
    }  # fmt: skip
    fields |= {"counts": found.counts, "verdict": found.verdict}
    return ImportOut(
        **fields,
        id=transfer.pk,
        handed_in_by=transfer.client_name,
        created=transfer.created_at,
        finished=transfer.finished_at,
        items=[_item(listed) for listed in found.items],
        after=found.after,
    )


def _item(listed: Listed) -> ImportItemOut:
    item = listed.item
    verdict: Any = item.verdict
    return ImportItemOut(
        number=item.number,
        memory=item.memory_id,
        path=item.path,
        verdict=verdict,
        reason=item.reason,
        is_here=listed.is_here,
    )
