"""The frame around every answer: one question, its memories held, one transaction."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotFoundError
from brain.lib.ids import new_id
from memories.models import Answer, Memory, Question, ReviewItem, ReviewState, State
from memories.services.affirming import only_the_person
from memories.services.locking import changing
from memories.services.resolutions.snapshots import snapshots, source_ids
from memories.services.telling import tell
from spaces.models import Space


class AlreadySettledError(DomainError):
    code = "already_settled"
    hint = "Look at what is still open."


class NotAnAnswerError(DomainError):
    code = "not_an_answer"
    hint = "Choose one of the answers that the question offers."


class ChangedMeanwhileError(DomainError):
    code = "changed_meanwhile"
    hint = "Look at it again, then decide."


@dataclass(frozen=True, slots=True)
class Reply:
    """Who answers which question.

    `seen` names the versions that they had before them, as `ReviewItem.seen` does; answers of one
    `decision_id` were given in one go.
    """

    space: Space
    actor: Actor
    item_id: UUID
    seen: str = ""
    decision_id: UUID = field(default_factory=new_id)


@dataclass(frozen=True, slots=True)
class Case:
    """An open question with its memories, none of which anybody else can change now."""

    reply: Reply
    item: ReviewItem
    memory: Memory
    other: Memory | None
    now: datetime

    @property
    def pair(self) -> tuple[Memory, Memory]:
        assert self.other is not None
        return self.memory, self.other


@contextmanager
def settling(reply: Reply, answer: Answer, *, about: Collection[Question]) -> Iterator[Case]:
    """Open the case, run the block that carries the answer out, and note what it changed.

    Raises NotFoundError, AlreadySettledError, NotAnAnswerError or ChangedMeanwhileError before
    anything is written; what the block raises undoes all of it.
    """
    with changing(reply.space):
        case = open_case(reply, about=about)
        ids = case.item.memory_ids
        before = snapshots(each for each in (case.memory, case.other) if each)
        waiting, sources = _waiting_ids(case), source_ids(ids)
        yield case
        _close_moot(case)
        undo = {
            "before": before,
            "after": snapshots(Memory.objects.filter(space=reply.space, pk__in=ids)),
            "closed": sorted(waiting - _waiting_ids(case)),
            "sources": sorted(source_ids(ids) - sources),
        }
        _write(case, answer, undo)
    tell(reply.space.pk, "review")


def open_case(reply: Reply, *, about: Collection[Question] = tuple(Question)) -> Case:
    """Return the open question with everything that it is about locked; call it inside the space.

    Memories are locked before the question, oldest first, like in every other service: two
    people at once must wait for each other, never for a deadlock.
    """
    only_the_person(reply.actor)
    found = ReviewItem.objects.filter(space=reply.space, pk=reply.item_id).first()
    if found is None:
        raise no_such_question()
    memories = locked(reply.space, found.memory_ids)
    item = ReviewItem.objects.select_for_update().get(pk=found.pk)
    if not item.is_waiting_or_put_off:
        raise AlreadySettledError("This question was settled already.")
    if item.question not in about:
        raise NotAnAnswerError("This is no answer to this question.")
    item.memory = memories[item.memory_id]
    item.other = memories[item.other_id] if item.other_id else None
    if reply.seen and reply.seen != item.seen:
        raise ChangedMeanwhileError("It changed while you were looking at it.")
    return Case(reply, item, item.memory, item.other, timezone.now())


def locked(space: Space, memory_ids: Collection[UUID]) -> dict[UUID, Memory]:
    """Return the memories, held until the transaction ends."""
    rows = Memory.objects.select_for_update().filter(space=space, pk__in=memory_ids)
    return {memory.pk: memory for memory in rows.order_by("pk")}


def no_such_question() -> NotFoundError:
    return NotFoundError("There is no such question in this space.", hint="Check the address.")


def _waiting_ids(case: Case) -> set[str]:
    """Return the other questions about these memories that nobody has answered."""
    questions = ReviewItem.objects.filter(space=case.reply.space).exclude(pk=case.item.pk)
    ids = questions.about(case.item.memory_ids).unsettled().values_list("pk", flat=True)
    return {str(pk) for pk in ids}


def _close_moot(case: Case) -> None:
    """Close what was still asked about a memory that this answer retired."""
    retired = Memory.objects.filter(
        pk__in=case.item.memory_ids, state__in=[State.SUPERSEDED, State.FORGOTTEN]
    )
    questions = ReviewItem.objects.filter(space=case.reply.space).exclude(pk=case.item.pk)
    questions.about(list(retired.values_list("pk", flat=True))).unsettled().update(
        state=ReviewState.RESOLVED,
        resolution="moot",
        resolved_by=case.reply.actor.user,
        resolved_at=case.now,
        updated_at=case.now,
    )


def _write(case: Case, answer: Answer, undo: Mapping[str, object]) -> None:
    item = case.item
    item.memory_version = case.memory.version
    item.other_version = case.other.version if case.other else None
    item.state, item.resolution = ReviewState.RESOLVED, answer
    item.resolved_by, item.resolved_at = case.reply.actor.user, case.now
    item.snoozed_until = None
    item.decision_id, item.undo = case.reply.decision_id, dict(undo)
    item.updated_at = case.now
    item.save()
