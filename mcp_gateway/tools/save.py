"""The tool `save`."""

from typing import Literal

from pydantic import Field

from mcp_gateway.context import Caller
from mcp_gateway.presenters import filled, moment, neighbour_lines, neighbour_rows, redaction_line
from mcp_gateway.scopes import WRITE
from mcp_gateway.services.connections import Deed
from mcp_gateway.tools.definition import Answer, Arguments, Tool, one_of, result
from memories.models import Way
from memories.services.recalling import Received
from memories.services.saving import Draft, Saved, save_memory


class SaveArguments(Arguments):
    content: str = Field(description="One self-contained statement, 12 to 4000 characters.")
    kind: Literal["decision", "preference", "observation", "pointer"] = Field(
        description="decision: settled. preference: how the person wants it. observation: true "
        "when looked at, lapses. pointer: where something lives."
    )
    path: str = Field(description="Dotted place such as Project.Auth.Strategy.")
    source: str = Field("", description="Who said it or where it was read (≤ 500 characters).")
    rationale: str = Field("", description="Why (≤ 1000 characters).")
    author: Literal["agent", "tool"] = Field(
        "agent", description="tool: a page or tool said it and nobody confirmed it."
    )
    expires_at: str = Field("", description="Observations only: ISO date when it lapses.")


def run(caller: Caller, arguments: SaveArguments) -> Answer:
    draft = Draft(**arguments.model_dump())
    saved = save_memory(space=caller.space, actor=caller.actor, draft=draft)
    memory = saved.memory
    structured = filled(
        outcome=saved.outcome,
        id=str(memory.pk),
        path=memory.path,
        version=memory.version,
        expires_at=moment(memory.expires_at),
        confirmations=memory.confirmations,
        redacted=saved.redacted,
        similar=neighbour_rows(saved.near.similar),
        disagrees_with=neighbour_rows(saved.near.disagrees_with),
    )
    shown = [near.pk for near in (*saved.near.disagrees_with, *saved.near.similar)]
    return Answer(structured, "\n".join(_lines(saved)), received=Received(shown, Way.SHOWN))


def _lines(saved: Saved) -> list[str]:
    memory = saved.memory
    heads = {
        "created": f"Saved as {memory.kind} at {memory.path}, id {memory.pk}.",
        "refreshed": f"Already known: confirmed {memory.confirmations} times, "
        f"at {memory.path}, id {memory.pk}.",
        "held": f"Not live: the person forgot this earlier, so it waits for their review, "
        f"id {memory.pk}. Don't save it again.",
    }
    expiry = [f"It lapses at {moment(memory.expires_at)}."] if memory.expires_at else []
    return [
        heads[saved.outcome],
        *expiry,
        *redaction_line(saved.redacted),
        *neighbour_lines(
            "Seems to contradict these; ask the person which one holds, then revise or forget:",
            neighbour_rows(saved.near.disagrees_with),
        ),
        *neighbour_lines("Similar memories:", neighbour_rows(saved.near.similar)),
    ]


TOOL = Tool(
    name="save",
    title="Save a memory",
    description=(
        "Keep one fact for later conversations. Save by yourself, when it happens: decisions, "
        "preferences and corrections of the person, durable facts that code and files do not "
        "say, where things live. A decision or a preference needs source and rationale. Saying "
        "a fact again only confirms it; when it changed, revise it instead. Never save secrets, "
        "guesses, small talk, or what the person asked not to keep. The answer names similar "
        "memories and those it seems to contradict."
    ),
    scope=WRITE,
    deed=Deed.SAVED,
    arguments=SaveArguments,
    output=result(
        "outcome id path version confirmations",
        outcome=one_of("created", "refreshed", "held"),
        id="string",
        path="string",
        version="integer",
        expires_at="string",
        confirmations="integer",
        redacted="object",
        similar="array",
        disagrees_with="array",
    ),
    run=run,
    hints={"idempotent": True},
)
