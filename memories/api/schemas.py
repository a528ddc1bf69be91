"""What the REST API takes and gives. Moments are RFC 3339 in UTC; ids are UUIDs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, Field, JsonValue

from brain.lib.problems import ProblemOut

SettableKind = Literal["decision", "preference", "observation", "pointer"]
AnyKind = Literal["decision", "preference", "observation", "checkpoint", "pointer"]
Standing = Literal["active", "expired", "held", "superseded", "forgotten"]

_SAVE: dict[str, JsonValue] = {
    "content": "The API answers errors as problem details.",
    "kind": "decision",
    "path": "Project.Api.Errors",
    "source": "Design review",
    "rationale": "Every client can read them.",
}


class Body(Schema):
    """A request: what is not known is refused, not ignored."""

    model_config = ConfigDict(extra="forbid")


class SaveIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [_SAVE]})

    content: str = Field(description="One self-contained statement, 12 to 4000 characters.")
    kind: SettableKind
    path: str = Field(description="Dotted place such as Project.Auth.Strategy.")
    source: str = Field("", description="Who said it or where it was read.")
    rationale: str = Field("", description="Why.")
    author: Literal["agent", "tool"] = Field(
        "agent", description="Of a key; what a person sends with a session is theirs."
    )
    expires_at: str = Field("", description="Observations only: ISO date when it lapses.")


class ReviseIn(Body):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"content": "We deploy on Mondays now."}]}
    )

    content: str | None = None
    kind: SettableKind | None = None
    path: str | None = None
    source: str | None = None
    rationale: str | None = None
    expires_at: str | None = None
    reason: str = Field("", description="Why it is changed, for the history.")


class ForgetIn(Body):
    reason: str = ""


class CheckpointIn(Body):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"task": "Move the docs", "goal": "One site", "next_step": "Redirect old links"}
            ]
        },
    )

    task: str
    goal: str
    next_step: str
    done: str = ""
    blockers: str = ""
    constraints: str = ""
    sources: str = ""


class AnswerIn(Body):
    """The person's answer to a question; `seen` names the versions that they had before them."""

    answer: str = Field(description="One of the answers that the question offers, or later.")
    seen: str = ""
    content: str = Field("", description="For the answer rewritten: the new text.")
    source: str = Field("", description="For the answer sourced.")
    rationale: str = Field("", description="For the answer sourced.")


class MemoryOut(Schema):
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


class MemoryPage(Schema):
    """`after` is the cursor of the next page; it is empty on the last one."""

    items: list[MemoryOut]
    after: str


class NearOut(Schema):
    id: UUID
    kind: AnyKind
    path: str


class WrittenOut(Schema):
    """What became of a write, and the memory as it stands now."""

    outcome: Literal[
        "created", "refreshed", "held", "revised", "unchanged", "replaced", "forgotten",
        "already_forgotten",
    ]  # fmt: skip
    memory: MemoryOut
    redacted: Mapping[str, int]
    similar: list[NearOut]
    disagrees_with: list[NearOut]


class HitOut(Schema):
    memory: MemoryOut
    why: Literal["words", "meaning", "both", "id"]
    score: Annotated[float, Field(ge=0, le=1)]


class SearchOut(Schema):
    """`is_close` false: nothing remembered is near the question."""

    results: list[HitOut]
    disagreements: list[tuple[UUID, UUID]]
    is_close: bool
    meaning: bool
    more: int


class PathOut(Schema):
    path: str
    count: int


class PathsOut(Schema):
    items: list[PathOut]
    more: int


class CheckpointsOut(Schema):
    items: list[MemoryOut]
    nearest_tasks: list[str]
    more: int


class VersionOut(Schema):
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
    items: list[QuestionOut]
    after: str


class ActivityOut(Schema):
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
    items: list[ActivityOut]
    after: str


class ConflictOut(ProblemOut):
    """The text moved on meanwhile: this is the present one, and nothing was written."""

    current: MemoryOut
