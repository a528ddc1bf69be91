"""Put a question to the person, once; never again what they dismissed."""

from collections.abc import Mapping

from django.utils import timezone

from accounts.actors import Actor
from memories.models import Answer, Memory, MemoryVersion, Question, ReviewItem, ReviewState
from memories.services.telling import tell

# Answers that leave both texts as they are, so that the same question would come up again.
DISMISSALS = (Answer.KEPT_BOTH, Answer.NOT_THE_SAME, Answer.KEPT)


def ask(
    question: Question,
    memory: Memory,
    *,
    other: Memory | None = None,
    evidence: Mapping[str, object] | None = None,
) -> bool:
    """Open a question about `memory`, or about a pair; return whether there is a new one.

    An open question of the same kind is left as it is, and one that the person dismissed does
    not come back unless a text has changed since. A pair has no order: the older one is `memory`.
    """
    if other is not None and other.pk < memory.pk:
        memory, other = other, memory
    if _was_dismissed(question, memory, other):
        return False
    item = ReviewItem(
        space_id=memory.space_id,
        question=question,
        memory=memory,
        other=other,
        memory_version=memory.version,
        other_version=other.version if other else None,
        evidence=dict(evidence or {}),
    )
    ReviewItem.objects.bulk_create([item], ignore_conflicts=True)
    is_new = ReviewItem.objects.filter(pk=item.pk).exists()
    if is_new:
        tell(memory.space_id, "review")
    return is_new


def settle(question: Question, memory: Memory, *, actor: Actor, resolution: str) -> None:
    """Close the open questions of this kind in which `memory` stands."""
    now = timezone.now()
    questions = ReviewItem.objects.filter(space_id=memory.space_id, question=question)
    settled = (
        questions.about([memory.pk])
        .unsettled()
        .update(
            state=ReviewState.RESOLVED,
            resolution=resolution,
            resolved_by=actor.user,
            resolved_at=now,
            updated_at=now,
        )
    )
    if settled:
        tell(memory.space_id, "review")


def withdraw(question: Question, first: Memory, second: Memory) -> None:
    """Take an open question about a pair back: it was changed, and nothing is left to ask."""
    now = timezone.now()
    pair = sorted([first, second], key=lambda memory: memory.pk)
    ReviewItem.objects.filter(
        space_id=first.space_id, question=question, memory=pair[0], other=pair[1]
    ).unsettled().update(
        state=ReviewState.RESOLVED, resolution="withdrawn", resolved_at=now, updated_at=now
    )


def _was_dismissed(question: Question, memory: Memory, other: Memory | None) -> bool:
    dismissed = ReviewItem.objects.filter(
        space_id=memory.space_id,
        question=question,
        memory=memory,
        other=other,
        state=ReviewState.RESOLVED,
        resolution__in=DISMISSALS,
    )
    return any(
        _says_what_it_said(memory, item.memory_version)
        and (other is None or _says_what_it_said(other, item.other_version))
        for item in dismissed.order_by("-resolved_at")[:5]
    )


def _says_what_it_said(memory: Memory, number: int | None) -> bool:
    """Say whether the text is the one of that version; a new source or path is no new text."""
    if number is None or memory.version == number:
        return number is not None
    then = MemoryVersion.objects.of(memory).filter(number=number)
    return then.filter(content_sha256=memory.content_sha256).exists()
