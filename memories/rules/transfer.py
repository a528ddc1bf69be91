"""The file that takes a space along, `agents-brain/1`: what each record in it says.

The schema in docs/export-format.schema.json is made from these classes.
"""

from datetime import UTC
from typing import Annotated, Literal
from uuid import UUID

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
)

FORMAT = "agents-brain/1"
Moment = Annotated[AwareDatetime, AfterValidator(lambda moment: moment.astimezone(UTC))]
Digest = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{64})?$")]
Kind = Literal["decision", "preference", "observation", "checkpoint", "pointer"]
Author = Literal["user", "agent", "tool"]
# Who did it: the owner of the space, or somebody whose account is gone.
Person = Literal["owner"] | None
Count = Annotated[int, Field(ge=0, le=2_000_000_000)]
Number = Annotated[int, Field(ge=1, le=1_000_000)]


# Wider than what may be written today: markers of redacted values are longer than the values.
Content = Annotated[str, Field(max_length=40_000)]
Words = Annotated[str, Field(max_length=8_000)]
Path = Annotated[str, Field(max_length=255)]
ClientName = Annotated[str, Field(max_length=255)]


class Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Client(Record):
    """The app that something was written with; all empty for the person in the dashboard."""

    key: Annotated[str, Field(max_length=80)]
    name: ClientName
    instance: Annotated[str, Field(max_length=100)]


class Version(Record):
    number: Number
    kind: Kind
    path: Path
    content: Content
    content_sha256: Digest
    source: Words
    rationale: Words
    checkpoint: dict[str, Words]
    operation: Literal["created", "revised", "restored"]
    reason: Words
    author: Author
    changed_by: Person
    client: Client
    created_at: Moment
    erased_at: Moment | None


class Source(Record):
    """Where the fact was said again."""

    text: Words
    added_by: Person
    client_name: ClientName
    added_at: Moment


class MemoryRecord(Record):
    """One memory with its whole history. An erased one has no text: that is its tombstone."""

    id: UUID
    kind: Kind
    path: Path
    content: Content
    content_sha256: Digest
    source: Words
    rationale: Words
    checkpoint: dict[str, Words]
    author: Author
    client: Client
    version: Number
    state: Literal["active", "held", "superseded", "forgotten"]
    state_at: Moment
    forgotten_by_person: bool
    superseded_by: UUID | None
    created_at: Moment
    updated_at: Moment
    confirmed_at: Moment
    confirmations: Count
    person_confirmed_at: Moment | None
    expires_at: Moment | None
    erased_at: Moment | None
    sources: list[Source]
    versions: list[Version]


class LinkRecord(Record):
    first: UUID
    second: UUID
    reason: Literal["same_path", "similar", "mentions", "replaced_by"]
    weight: Annotated[float, Field(gt=0, le=1)]
    made_at: Moment


class ReviewRecord(Record):
    """A question to the person, and what they decided. Evidence has codes, never a text."""

    id: UUID
    question: Literal[
        "disagreement", "repeated", "expired", "unsourced", "changed_by_agent", "relearned",
        "instruction",
    ]  # fmt: skip
    memory: UUID
    other: UUID | None
    memory_version: Number
    other_version: Number | None
    evidence: dict[str, JsonValue]
    state: Literal["open", "snoozed", "resolved"]
    resolution: Annotated[str, StringConstraints(max_length=20, pattern=r"^[a-z_]*$")]
    resolved_by: Person
    resolved_at: Moment | None
    snoozed_until: Moment | None
    decision_id: UUID | None
    created_at: Moment
    updated_at: Moment


class EventRecord(Record):
    """A line of the activity log. An import leaves it aside: a log says what happened here."""

    id: UUID
    memory: UUID | None
    verb: str
    version: Number | None
    reason: str
    user: Person
    door: str
    is_agent: bool
    client: Client
    at: Moment


class SpaceRecord(Record):
    """What describes the space; an import leaves the description of its own space as it is."""

    id: UUID
    name: str
    description: str
    language: str
    auto_redact_pii: bool


class ExportFile(Record):
    """A whole file, for its schema only: neither side ever holds one in memory."""

    format: Literal["agents-brain/1"]
    exported_at: Moment
    origin: str
    space: SpaceRecord
    memories: list[MemoryRecord]
    links: list[LinkRecord]
    reviews: list[ReviewRecord]
    events: list[EventRecord] = []
