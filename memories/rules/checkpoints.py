"""The state of a task as one readable text."""

from dataclasses import asdict, dataclass

from memories.rules.facts import normalised


@dataclass(frozen=True, slots=True)
class CheckpointFields:
    """What a checkpoint says; lists are one entry a line."""

    task: str
    goal: str
    next_step: str
    done: str = ""
    blockers: str = ""
    constraints: str = ""
    sources: str = ""

    def filled(self) -> dict[str, str]:
        return {name: text for name, text in asdict(self).items() if text}


LABELS = {
    "task": "Task",
    "goal": "Goal",
    "next_step": "Next step",
    "done": "Done",
    "blockers": "Blockers",
    "constraints": "Constraints",
    "sources": "Sources",
}


def as_text(fields: CheckpointFields) -> str:
    return "\n".join(f"{LABELS[name]}: {text}" for name, text in fields.filled().items())


def task_key(task: str) -> str:
    """Return the form in which task names are compared."""
    return normalised(task)[:255]
