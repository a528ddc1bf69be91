"""The tool `revise`."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from mcp_gateway.context import Caller
from mcp_gateway.presenters import filled, moment, quoted, redaction_line
from mcp_gateway.scopes import WRITE
from mcp_gateway.services.connections import Deed
from mcp_gateway.tools.definition import Answer, Arguments, Tool, one_of, result
from memories.models import Way
from memories.services.recalling import Received
from memories.services.revising import Revised, Revision, revise_memory


class ReviseArguments(Arguments):
    id: UUID = Field(description="The memory's id, from search or save.")
    content: str = Field("", description="The new text, 12 to 4000 characters.")
    kind: Literal["", "decision", "preference", "observation", "pointer"] = Field("")
    path: str = Field("")
    source: str = Field("", description="Who said that it changed.")
    rationale: str = Field("", description="Why.")
    expires_at: str = Field("", description="Observations only: ISO date; alone it renews.")
    reason: str = Field("", description="Why it is changed, for the history.")
    expected_version: int = Field(
        0, description="Write only if this is still the version; else the current text returns."
    )


def run(caller: Caller, arguments: ReviseArguments) -> Answer:
    sent = arguments.model_fields_set
    revision = Revision(
        content=arguments.content if "content" in sent else None,
        kind=arguments.kind or None,
        path=arguments.path or None,
        source=arguments.source or None,
        rationale=arguments.rationale or None,
        expires_at=arguments.expires_at or None,
        reason=arguments.reason,
        expected_version=arguments.expected_version or None,
    )
    revised = revise_memory(
        space=caller.space, actor=caller.actor, memory_id=arguments.id, revision=revision
    )
    memory = revised.memory
    structured = filled(
        outcome=revised.outcome,
        id=str(memory.pk),
        version=memory.version,
        path=memory.path,
        expires_at=moment(memory.expires_at),
        redacted=revised.redacted,
        current=memory.content if revised.outcome == "conflict" else None,
    )
    shown = [memory.pk] if revised.outcome == "conflict" else []
    return Answer(structured, "\n".join(_lines(revised)), received=Received(shown, Way.SHOWN))


def _lines(revised: Revised) -> list[str]:
    memory = revised.memory
    if revised.outcome == "conflict":
        return [
            f"Nothing was written: {memory.pk} is at version {memory.version} now. It says:",
            quoted(memory.content),
        ]
    if revised.outcome == "unchanged":
        return [f"Nothing to change: {memory.pk} says this already."]
    return [
        f"Revised {memory.pk} at {memory.path}: now version {memory.version}.",
        *redaction_line(revised.redacted),
    ]


TOOL = Tool(
    name="revise",
    title="Revise a memory",
    description=(
        "Change a memory when its fact has changed, instead of saving a second one next to it. "
        "Send only what changes; the rest is kept, the old text stays as history. Only "
        "expires_at changes only how long it holds. The person is shown changes of their words."
    ),
    scope=WRITE,
    deed=Deed.SAVED,
    arguments=ReviseArguments,
    output=result(
        "outcome id version",
        outcome=one_of("revised", "unchanged", "conflict"),
        id="string",
        version="integer",
        path="string",
        expires_at="string",
        redacted="object",
        current="string",
    ),
    run=run,
    hints={"destructive": True, "idempotent": True},
)
