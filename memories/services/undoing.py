"""Take back what an app did, as one action, and take that back again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotAllowedError, NotFoundError
from memories.models import Activity, Memory, Operation, Question, State, Undoing, Verb
from memories.queries.undoing import LeftAlone, Plan, Step, Work, planned_return, planned_undoing
from memories.rules.reversals import Obstacle
from memories.services.activity import record
from memories.services.asking import settle
from memories.services.locking import changing
from memories.services.versions import derive, take_text, write_version
from spaces.models import Space

ORIGIN_FIELDS = ("client_key", "client_name", "agent_instance")


class NothingToUndoError(DomainError):
    code = "nothing_to_undo"
    hint = "Choose another app or an earlier moment."


class ChangedSinceShownError(DomainError):
    code = "changed_since_shown"
    hint = "Look at what is shown now, then decide."


class AlreadyUndoneError(DomainError):
    code = "already_undone"
    hint = "Undo the later action instead."


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back, and the memories that were left as they are."""

    undoing: Undoing
    left_alone: Sequence[LeftAlone]


def undo_work(*, space: Space, actor: Actor, work: Work, seen: str = "") -> Undone:
    """Bring every memory that the app changed back to how it stood, and forget what it added.

    What somebody else has changed or confirmed since is left alone. `seen` is the digest of the
    plan that the person saw: after any change nothing is done. Raises a DomainError.
    """
    _only_the_person(actor)
    with changing(space):
        plan = _held(space, planned_undoing(space, work))
        if seen and plan.seen != seen:
            raise ChangedSinceShownError("Something changed while you were looking at it.")
        undoing = Undoing(
            space=space,
            user=actor.user,
            client_key=work.client_key,
            client_name=_name_of(space, work.client_key),
            agent_instance=work.agent_instance,
            since=work.since,
        )
        return _carry_out(plan, undoing, actor)


def undo_undoing(*, space: Space, actor: Actor, undoing_id: UUID) -> Undone:
    """Bring back what an earlier action took back, in one action that can be undone too."""
    _only_the_person(actor)
    with changing(space):
        # Twice at once must not do it twice; the constraint would refuse the second one anyway.
        rows = Undoing.objects.select_for_update(of=("self",)).filter(space=space)
        earlier = rows.filter(pk=undoing_id).first()
        if earlier is None:
            raise NotFoundError("There is no such action.", hint="Check the address.")
        if Undoing.objects.filter(undoes=earlier).exists():
            raise AlreadyUndoneError("This was undone already.")
        plan = _held(space, planned_return(space, earlier))
        undoing = Undoing(
            space=space,
            user=actor.user,
            client_key=earlier.client_key,
            client_name=earlier.client_name,
            agent_instance=earlier.agent_instance,
            since=earlier.since,
            undoes=earlier,
        )
        return _carry_out(plan, undoing, actor)


def _held(space: Space, plan: Plan) -> Plan:
    """Return the plan on rows that nobody else can change until the transaction ends."""
    ids = [step.memory.pk for step in plan.steps]
    rows = Memory.objects.select_for_update().filter(space=space, pk__in=ids).order_by("pk")
    held = {memory.pk: memory for memory in rows}
    for step in plan.steps:
        now = held[step.memory.pk]
        if (now.version, now.state) != (step.memory.version, step.memory.state):
            raise ChangedSinceShownError("Something is being changed right now.")
    steps = [Step(held[step.memory.pk], step.target, step.version) for step in plan.steps]
    return Plan(steps, plan.left_alone, plan.has_more)


def _carry_out(plan: Plan, undoing: Undoing, actor: Actor) -> Undone:
    if not plan.steps:
        raise NothingToUndoError("There is nothing that could be taken back.")
    undoing.at, undoing.memories = timezone.now(), 0
    undoing.save(force_insert=True)
    left_alone = list(plan.left_alone)
    # What goes makes room for what comes back: one fact, one task, one live memory.
    for step in sorted(plan.steps, key=lambda each: each.state == State.ACTIVE):
        try:
            with transaction.atomic():
                _revert(step, undoing, actor)
        except IntegrityError:
            step.memory.refresh_from_db()
            left_alone.append(LeftAlone(step.memory, Obstacle.SAME_FACT))
        else:
            undoing.memories += 1
    if not undoing.memories:
        raise NothingToUndoError("Other memories already state what would come back.")
    undoing.save(update_fields=["memories"])
    return Undone(undoing, left_alone)


def _revert(step: Step, undoing: Undoing, actor: Actor) -> None:
    memory, now = step.memory, undoing.at
    if step.version is not None:
        take_text(memory, step.version)
        for name in ("author", *ORIGIN_FIELDS):
            setattr(memory, name, getattr(step.version, name))
        memory.version += 1
        memory.updated_at = max(now, memory.updated_at)
        derive(memory)
    _stand(step, now=now)
    memory.save()
    if step.version is not None:
        reason = f"version {step.version.number}"
        write_version(memory, actor, Operation.RESTORED, reason=reason, now=now)
    record(memory, actor, Verb.REVERTED, undoing=undoing)
    _settle(memory, actor)


def _stand(step: Step, *, now: datetime) -> None:
    """Put state, date and successor into the row; what was not there before is forgotten."""
    memory, standing = step.memory, step.target.standing
    if memory.state != step.state:
        memory.state, memory.state_at = step.state, now
    if standing is None:
        memory.is_forgotten_by_person = True
        return
    memory.expires_at = step.expires_at
    memory.is_forgotten_by_person = bool(standing.get("is_forgotten_by_person"))
    successor = standing.get("superseded_by")
    memory.superseded_by_id = UUID(str(successor)) if successor else None


def _settle(memory: Memory, actor: Actor) -> None:
    if memory.state == State.FORGOTTEN:
        for question in Question:
            settle(question, memory, actor=actor, resolution="forgotten")
    else:
        settle(Question.CHANGED_BY_AGENT, memory, actor=actor, resolution="restored")


def _name_of(space: Space, client_key: str) -> str:
    lines = Activity.objects.in_space(space).filter(client_key=client_key)
    return lines.values_list("client_name", flat=True).first() or client_key


def _only_the_person(actor: Actor) -> None:
    if not actor.is_person:
        raise NotAllowedError("Only the person can do this.", hint="Ask them to.")
