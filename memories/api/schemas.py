"""What the REST API gives. Moments are RFC 3339 in UTC; ids are UUIDs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import Field

from brain.lib.problems import ProblemOut
from memories.api import examples
from memories.api.examples import shown

AnyKind = Literal["decision", "preference", "observation", "checkpoint", "pointer"]
Standing = Literal["active", "expired", "held", "superseded", "forgotten"]


class MemoryOut(Schema):
    model_config = shown(examples.MEMORY)

    id: UUID
    kind: AnyKind
    path: str
    content: str
    state: Standing
    author: Literal["user", "agent", "tool"]
    client: str
    source: str
    rationale: str
    version: int
    created: datetime
    updated: datetime
    confirmed: datetime
    confirmations: int
    expires_at: datetime | None
    superseded_by: UUID | None


class SourceOut(Schema):
    """Where a fact was said again; the first source stands in the memory."""

    model_config = shown(examples.SOURCE)

    text: str
    by_person: bool
    client: str
    added: datetime


class LinkOut(Schema):
    """A memory that this one belongs together with, and why."""

    model_config = shown(examples.LINK)

    memory: UUID
    state: Standing
    reason: Literal["same_path", "similar", "mentions", "replaced_by"]


class MemoryDetailOut(MemoryOut):
    """A memory with everything that is known of it but its versions.

    `questions` are those that wait for the person, `checkpoint` the fields of one.
    """

    model_config = shown(examples.DETAIL)

    sha256: str
    checkpoint: Mapping[str, str]
    more_sources: list[SourceOut]
    replaces: list[UUID]
    links: list[LinkOut]
    questions: list[UUID]


class MemoryPage(Schema):
    """`after` is the cursor of the next page; it is empty on the last one."""

    model_config = shown({"items": [examples.MEMORY], "after": ""})

    items: list[MemoryOut]
    after: str


class NearOut(Schema):
    model_config = shown(examples.NEAR)

    id: UUID
    kind: AnyKind
    path: str


class WrittenOut(Schema):
    """What became of a write, and the memory as it stands now."""

    model_config = shown(examples.WRITTEN)

    outcome: Literal[
        "created", "refreshed", "held", "revised", "unchanged", "replaced", "forgotten",
        "already_forgotten",
    ]  # fmt: skip
    memory: MemoryOut
    redacted: Mapping[str, int]
    similar: list[NearOut]
    disagrees_with: list[NearOut]


class HitOut(Schema):
    model_config = shown(examples.HIT)

    memory: MemoryOut
    why: Literal["words", "meaning", "both", "id"]
    score: Annotated[float, Field(ge=0, le=1)]


class SearchOut(Schema):
    """`is_close` false: nothing remembered is near the question."""

    model_config = shown(examples.SEARCH)

    results: list[HitOut]
    disagreements: list[tuple[UUID, UUID]]
    is_close: bool
    meaning: bool
    more: int


class PathOut(Schema):
    model_config = shown(examples.PATH)

    path: str
    count: int


class PathsOut(Schema):
    model_config = shown({"items": [examples.PATH], "more": 0})

    items: list[PathOut]
    more: int


class CheckpointsOut(Schema):
    model_config = shown(examples.CHECKPOINTS)

    items: list[MemoryOut]
    nearest_tasks: list[str]
    more: int
    disagreements: list[tuple[UUID, UUID]]


class VersionOut(Schema):
    model_config = shown(examples.VERSION)

    number: int
    kind: AnyKind
    path: str
    content: str
    sha256: str
    source: str
    rationale: str
    operation: Literal["created", "revised", "restored"]
    reason: str
    author: Literal["user", "agent", "tool"]
    client: str
    created: datetime
    erased_at: datetime | None


class QuestionOut(Schema):
    """A question that only the person can settle; `evidence` has codes, never a text."""

    model_config = shown(examples.QUESTION)

    id: UUID
    question: str
    memory: UUID
    other: UUID | None
    seen: str
    evidence: Mapping[str, Any]
    state: Literal["open", "snoozed", "resolved"]
    resolution: str
    created: datetime


class QuestionPage(Schema):
    model_config = shown({"items": [examples.QUESTION], "after": ""})

    items: list[QuestionOut]
    after: str


class ActivityOut(Schema):
    model_config = shown(examples.ACTIVITY)

    at: datetime
    verb: str
    memory: UUID | None
    version: int | None
    reason: str
    by_agent: bool
    client: str
    agent_instance: str
    door: str


class ActivityPage(Schema):
    model_config = shown({"items": [examples.ACTIVITY], "after": ""})

    items: list[ActivityOut]
    after: str


class ConflictOut(ProblemOut):
    """The text moved on meanwhile: this is the present one, and nothing was written."""

    model_config = shown(examples.CONFLICT)

    current: MemoryOut
