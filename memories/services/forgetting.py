"""Stop loading a memory; it stays readable as history."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.utils import timezone

from accounts.actors import Actor
from memories.models import Author, Memory, Question, State, Verb
from memories.services.activity import record
from memories.services.asking import ask, settle
from memories.services.cleaning import REASON_MAX, Cleaner
from memories.services.locking import locked_memory
from spaces.isolation import inside
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class Forgotten:
    memory: Memory
    outcome: Literal["forgotten", "already_forgotten"]


def forget_memory(*, space: Space, actor: Actor, memory_id: UUID, reason: str = "") -> Forgotten:
    """Forget the memory. The person's forget holds: no agent can undo it by saving again."""
    reason = Cleaner(space).text(reason, limit=REASON_MAX, what="The reason")
    with inside(space):
        memory = locked_memory(space, memory_id)
        was_forgotten = memory.state == State.FORGOTTEN
        was_held = memory.state == State.HELD
        if was_forgotten and (actor.is_agent or memory.is_forgotten_by_person):
            return Forgotten(memory, "already_forgotten")
        memory.state = State.FORGOTTEN
        memory.state_at = timezone.now()
        memory.is_forgotten_by_person = actor.is_person
        memory.save(update_fields=["state", "state_at", "is_forgotten_by_person"])
        record(memory, actor, Verb.FORGOTTEN, reason=reason)
        if actor.is_person:
            for question in Question:
                settle(question, memory, actor=actor, resolution="forgotten")
        elif was_held:
            settle(Question.RELEARNED, memory, actor=actor, resolution="withdrawn")
        elif memory.author == Author.USER:
            evidence = {"version": memory.version, "change": "forgotten"}
            ask(Question.CHANGED_BY_AGENT, memory, evidence=evidence)
    return Forgotten(memory, "already_forgotten" if was_forgotten else "forgotten")
