"""Read the records of an export: what a file says is checked before anything is done with it."""

from datetime import datetime, timedelta
from typing import TypeVar

from pydantic import ValidationError

from brain.lib.errors import DomainError
from memories.rules.facts import sha256
from memories.rules.transfer import (
    Client,
    LinkRecord,
    MemoryRecord,
    Record,
    ReviewRecord,
    Source,
    Version,
)

R = TypeVar("R", bound=Record)
# A refusal names fields that exist, and nothing else of what the file says.
_FIELDS = {
    name
    for kind in (Client, LinkRecord, MemoryRecord, ReviewRecord, Source, Version)
    for name in kind.model_fields
}
# Two machines' clocks differ; more than this is no date of something that happened.
_AHEAD = timedelta(days=1)


class RecordError(DomainError):
    code = "bad_record"


def parsed_memory(text: str, *, now: datetime) -> MemoryRecord:
    """Read one record of the file; raises RecordError, which quotes nothing of it."""
    record = _parsed(MemoryRecord, text)
    _check_history(record)
    _check_digest(record)
    for version in record.versions:
        _check_digest(version)
    _check_state(record)
    _check_dates(record, now=now)
    return record


def parsed_link(text: str) -> LinkRecord:
    record = _parsed(LinkRecord, text)
    if record.first == record.second:
        raise RecordError("A memory is linked to itself.")
    return record


def parsed_review(text: str) -> ReviewRecord:
    record = _parsed(ReviewRecord, text)
    evidence = record.evidence
    if not isinstance(evidence.get("version", 1), int):
        raise RecordError("evidence.version is no number.")
    for name in ("expires_at", "forgotten_at"):
        if (moment := evidence.get(name)) and not _is_moment(moment):
            raise RecordError(f"evidence.{name} is no date.")
    if not isinstance(evidence.get("reasons", []), list):
        raise RecordError("evidence.reasons is no list.")
    if record.other == record.memory:
        raise RecordError("A question is about a memory and itself.")
    return record


def _parsed(kind: type[R], text: str) -> R:
    try:
        return kind.model_validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        parts = [str(part) for part in first["loc"] if isinstance(part, int) or part in _FIELDS]
        place = ".".join(parts) or "the record"
        raise RecordError(f"{place}: {first['msg']}.") from None


def _check_history(record: MemoryRecord) -> None:
    numbers = [version.number for version in record.versions]
    if numbers != list(range(1, record.version + 1)):
        raise RecordError("versions: They must count from 1 to the version of the memory.")
    newest = record.versions[-1]
    if record.erased_at is None and newest.content_sha256 != record.content_sha256:
        raise RecordError("versions: The newest one is not what the memory says.")


def _check_digest(said: MemoryRecord | Version) -> None:
    if said.erased_at is not None:
        if said.content or said.content_sha256:
            raise RecordError("content: It was erased, and yet there is one.")
    elif not said.content.strip():
        raise RecordError("content: It is empty.")
    elif sha256(said.content) != said.content_sha256:
        raise RecordError("content_sha256: It does not fit the content; the file was changed.")


def _check_state(record: MemoryRecord) -> None:
    if record.author == "tool" and record.kind not in {"observation", "checkpoint"}:
        raise RecordError("kind: What a tool said is an observation.")
    if record.erased_at and record.state in {"active", "held"}:
        raise RecordError("state: What was erased cannot hold.")
    if (
        record.kind == "checkpoint"
        and record.erased_at is None
        and not record.checkpoint.get("task")
    ):
        raise RecordError("checkpoint: It names no task.")
    if record.superseded_by == record.id:
        raise RecordError("superseded_by: A memory cannot replace itself.")


def _check_dates(record: MemoryRecord, *, now: datetime) -> None:
    if record.updated_at < record.created_at:
        raise RecordError("updated_at: It lies before created_at.")
    past = (record.created_at, record.updated_at, record.confirmed_at, record.state_at)
    written = [version.created_at for version in record.versions]
    if max(*past, record.person_confirmed_at or record.created_at, *written) > now + _AHEAD:
        raise RecordError("A date lies in the future.")


def _is_moment(value: object) -> bool:
    try:
        return datetime.fromisoformat(str(value)).tzinfo is not None
    except ValueError:
        return False
