"""The tool `resume`."""

from pydantic import Field

from mcp_gateway.context import Caller
from mcp_gateway.presenters import QUOTATIONS, disagreement_line, filled, moment, origin, quoted
from mcp_gateway.scopes import READ
from mcp_gateway.services.connections import Deed
from mcp_gateway.tools.definition import Answer, Arguments, Json, Tool, result
from memories.models import Memory, Way
from memories.queries.resume import Resumed, resume
from memories.rules.budgets import ANSWER_CHARACTERS, fit
from memories.services.recalling import Received

DISAGREE = (
    "The checkpoints mention memories that disagree with each other; ask the person which one "
    "holds."
)


class ResumeArguments(Arguments):
    task: str = Field("", description="Only the checkpoint of this task.")


def run(caller: Caller, arguments: ResumeArguments) -> Answer:
    resumed = resume(space=caller.space, task=arguments.task)
    structured: Json = {
        "checkpoints": [_row(memory, _share(resumed)) for memory in resumed.checkpoints],
        **filled(
            nearest_tasks=list(resumed.nearest_tasks),
            disagreements=[[str(one), str(two)] for one, two in resumed.disagreements],
            notice=_notice(resumed, arguments),
            more=resumed.more or None,
        ),
    }
    ids = [memory.pk for memory in resumed.checkpoints]
    received = Received(ids, Way.RESUMED, query=arguments.task)
    return Answer(structured, "\n".join(_lines(resumed, arguments)), received=received)


def _share(resumed: Resumed) -> int:
    return ANSWER_CHARACTERS // max(len(resumed.checkpoints), 1)


def _row(memory: Memory, budget: int) -> Json:
    """Return the checkpoint's own fields, cut together to `budget` characters."""
    names = list(memory.checkpoint)
    excerpts = fit([str(text) for text in memory.checkpoint.values()], budget=budget)
    return {
        "id": str(memory.pk),
        **{name: excerpt.text for name, excerpt in zip(names, excerpts, strict=True)},
        "author": memory.author,
        **filled(
            client=memory.client_name,
            updated=moment(memory.updated_at),
            expires_at=moment(memory.expires_at),
        ),
    }


def _notice(resumed: Resumed, arguments: ResumeArguments) -> str:
    if resumed.checkpoints:
        return DISAGREE if resumed.disagreements else ""
    if not arguments.task.strip():
        return "No task is in progress."
    if resumed.nearest_tasks:
        return "There is no checkpoint of this task. The nearest task names are listed."
    return "There is no checkpoint of this task, nor of one with a similar name."


def _lines(resumed: Resumed, arguments: ResumeArguments) -> list[str]:
    notice = _notice(resumed, arguments)
    lines = [notice] if notice else []
    lines += [quoted(name) for name in resumed.nearest_tasks]
    if resumed.checkpoints:
        lines.append(QUOTATIONS)
    for memory in resumed.checkpoints:
        (excerpt,) = fit([memory.content], budget=_share(resumed))
        lines += [
            f"[checkpoint] id {memory.pk}, by {origin(memory)}, {memory.updated_at.date()}",
            quoted(excerpt.text),
        ]
    if resumed.more:
        lines.append(f"{resumed.more} older ones; name the task to read one of them.")
    return [*lines, *disagreement_line(resumed.disagreements)]


TOOL = Tool(
    name="resume",
    title="Resume a task",
    description=(
        "Start here: read where the work stopped. Returns the checkpoints in progress, newest "
        "first, or the one of a task. Check against the live state before you rely on it."
    ),
    scope=READ,
    deed=Deed.SEARCHED,
    arguments=ResumeArguments,
    output=result(
        "checkpoints",
        checkpoints="array",
        nearest_tasks="array",
        disagreements="array",
        notice="string",
        more="integer",
    ),
    run=run,
    hints={"read_only": True, "idempotent": True},
)
