"""Keep the state of a task; a newer checkpoint replaces the one before."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from unicodedata import normalize

from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError
from brain.lib.text import one_line
from memories.models import Kind, Memory, Operation, State, Verb
from memories.rules.checkpoints import CheckpointFields, as_text, task_key
from memories.rules.paths import MAX_LENGTH, is_allowed, key_of
from memories.services.activity import record
from memories.services.cleaning import FIELD_MAX, TASK_MAX, Cleaner
from memories.services.expiring import lifetimes
from memories.services.locking import hold
from memories.services.room import need_room
from memories.services.versions import author_of, derive, stamp, write_version
from spaces.isolation import inside
from spaces.models import Space


class CheckpointError(DomainError):
    code = "bad_checkpoint"
    hint = "Send task, goal and next_step; each says one thing."


@dataclass(frozen=True, slots=True)
class Checkpointed:
    memory: Memory
    outcome: Literal["created", "replaced"]
    redacted: dict[str, int]


def checkpoint_task(*, space: Space, actor: Actor, fields: CheckpointFields) -> Checkpointed:
    """Write the checkpoint; the earlier one of the same task stays as history."""
    cleaner, now = Cleaner(space), timezone.now()
    memory = _built(_cleaned(fields, cleaner), actor, now=now)
    memory.space = space
    with inside(space):
        # One live checkpoint a task: the next one waits until this one is in place.
        hold("task", space, memory.task_key)
        # Locked, so that what somebody forgets meanwhile is not retired over it.
        live = Memory.objects.active().select_for_update()
        earlier = live.filter(space=space, task_key=memory.task_key).first()
        if earlier is None:
            need_room(space)
        else:
            _retire(earlier, now=now)
        memory.save(force_insert=True)
        write_version(memory, actor, Operation.CREATED, now=now)
        record(memory, actor, Verb.SAVED)
        if earlier is not None:
            earlier.superseded_by = memory
            earlier.save(update_fields=["superseded_by"])
            record(earlier, actor, Verb.SUPERSEDED)
    outcome: Literal["created", "replaced"] = "replaced" if earlier else "created"
    return Checkpointed(memory, outcome, dict(cleaner.redacted))


def _cleaned(fields: CheckpointFields, cleaner: Cleaner) -> CheckpointFields:
    task = one_line(fields.task, limit=TASK_MAX, what="The task")

    def text(value: str, what: str) -> str:
        return cleaner.text(value.strip(), limit=FIELD_MAX, what=what)

    clean = CheckpointFields(
        task=text(task, "The task"),
        goal=text(fields.goal, "The goal"),
        next_step=text(fields.next_step, "The next step"),
        done=text(fields.done, "The text of done"),
        blockers=text(fields.blockers, "The text of blockers"),
        constraints=text(fields.constraints, "The text of constraints"),
        sources=text(fields.sources, "The text of sources"),
    )
    for name in ("task", "goal", "next_step"):
        if not getattr(clean, name):
            raise CheckpointError(f"The checkpoint has no {name}.")
    if not task_key(clean.task):
        raise CheckpointError("The task has no name.")
    return clean


def _built(fields: CheckpointFields, actor: Actor, *, now: datetime) -> Memory:
    memory = Memory(
        kind=Kind.CHECKPOINT,
        path=_path(fields.task),
        content=as_text(fields),
        author=author_of(actor),
        created_at=now,
        updated_at=now,
        confirmed_at=now,
        state_at=now,
        state=State.ACTIVE,
        expires_at=lifetimes().expiry(Kind.CHECKPOINT, now=now),
        task_key=task_key(fields.task),
        checkpoint=fields.filled(),
    )
    stamp(memory, actor)
    derive(memory)
    return memory


def _path(task: str) -> str:
    """Return a path below `Checkpoint` from what a path may have of the task's name."""
    kept = "".join(char if is_allowed(char) else " " for char in normalize("NFC", task))
    path = f"Checkpoint.{'-'.join(kept.split()) or 'Task'}"
    while max(len(key_of(path)), len(path)) > MAX_LENGTH:
        path = path[:-1]
    return path


def _retire(earlier: Memory, *, now: datetime) -> None:
    earlier.state = State.SUPERSEDED
    earlier.state_at = now
    earlier.save(update_fields=["state", "state_at"])
