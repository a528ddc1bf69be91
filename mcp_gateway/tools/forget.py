"""The tool `forget`."""

from uuid import UUID

from pydantic import Field

from mcp_gateway.context import Caller
from mcp_gateway.scopes import WRITE
from mcp_gateway.services.connections import Deed
from mcp_gateway.tools.definition import Answer, Arguments, Tool, one_of, result
from memories.services.forgetting import forget_memory


class ForgetArguments(Arguments):
    id: UUID = Field(description="The memory's id, from search or save.")
    reason: str = Field("", description="Why, for the history (≤ 500 characters).")


def run(caller: Caller, arguments: ForgetArguments) -> Answer:
    forgotten = forget_memory(
        space=caller.space, actor=caller.actor, memory_id=arguments.id, reason=arguments.reason
    )
    words = {
        "forgotten": "is forgotten; it stays readable as history for the person",
        "already_forgotten": "was forgotten before",
    }
    return Answer(
        {"outcome": forgotten.outcome, "id": str(forgotten.memory.pk)},
        f"Memory {forgotten.memory.pk} {words[forgotten.outcome]}.",
    )


TOOL = Tool(
    name="forget",
    title="Forget a memory",
    description=(
        "Stop loading a memory that was wrong or no longer matters. Nothing is destroyed: the "
        "person can read and restore it. When a fact changed, revise it instead."
    ),
    scope=WRITE,
    deed=Deed.SAVED,
    arguments=ForgetArguments,
    output=result(
        "outcome id",
        outcome=one_of("forgotten", "already_forgotten"),
        id="string",
    ),
    run=run,
    hints={"destructive": True, "idempotent": True},
)
