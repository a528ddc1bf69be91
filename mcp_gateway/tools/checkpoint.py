"""The tool `checkpoint`."""

from pydantic import Field

from mcp_gateway.context import Caller
from mcp_gateway.presenters import filled, moment, redaction_line
from mcp_gateway.scopes import WRITE
from mcp_gateway.services.connections import Deed
from mcp_gateway.tools.definition import Answer, Arguments, Tool, one_of, result
from memories.rules.checkpoints import CheckpointFields
from memories.services.checkpointing import checkpoint_task


class CheckpointArguments(Arguments):
    task: str = Field(description="A short stable name of the task; the same name replaces.")
    goal: str = Field(description="What shall be reached.")
    next_step: str = Field(description="What to do first when the work goes on.")
    done: str = Field("", description="What is finished.")
    blockers: str = Field("", description="What is in the way.")
    constraints: str = Field("", description="What must be kept to.")
    sources: str = Field("", description="Files, pages, issues to read.")


def run(caller: Caller, arguments: CheckpointArguments) -> Answer:
    fields = CheckpointFields(**arguments.model_dump())
    written = checkpoint_task(space=caller.space, actor=caller.actor, fields=fields)
    memory = written.memory
    expires_at = moment(memory.expires_at)
    structured = filled(
        outcome=written.outcome,
        id=str(memory.pk),
        task=memory.checkpoint["task"],
        expires_at=expires_at,
        redacted=written.redacted,
    )
    lines = [
        f"Checkpoint {written.outcome}, id {memory.pk}, kept until {expires_at}.",
        *redaction_line(written.redacted),
    ]
    return Answer(structured, "\n".join(lines))


TOOL = Tool(
    name="checkpoint",
    title="Keep where the work stands",
    description=(
        "Write down the state of a task before you stop, before the context is compacted, or "
        "after a milestone, so that the next conversation can resume. A newer checkpoint of the "
        "same task replaces the earlier one. Texts up to 2000 characters each; task up to 200."
    ),
    scope=WRITE,
    deed=Deed.SAVED,
    arguments=CheckpointArguments,
    output=result(
        "outcome id task expires_at",
        outcome=one_of("created", "replaced"),
        id="string",
        task="string",
        expires_at="string",
        redacted="object",
    ),
    run=run,
    hints={},
)
