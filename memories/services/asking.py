"""Put a question to the person, once."""

from collections.abc import Mapping

from django.utils import timezone

from accounts.actors import Actor
from memories.models import Memory, Question, ReviewItem, ReviewState


def ask(
    question: Question,
    memory: Memory,
    *,
    other: Memory | None = None,
    evidence: Mapping[str, object] | None = None,
) -> None:
    """Open a question about `memory`; an open one of the same kind is left as it is."""
    item = ReviewItem(
        space_id=memory.space_id,
        question=question,
        memory=memory,
        other=other,
        evidence=dict(evidence or {}),
    )
    ReviewItem.objects.bulk_create([item], ignore_conflicts=True)


def settle(question: Question, memory: Memory, *, actor: Actor, resolution: str) -> None:
    """Close the open question of this kind about `memory`, if there is one."""
    now = timezone.now()
    ReviewItem.objects.filter(
        space_id=memory.space_id,
        memory=memory,
        question=question,
        state__in=[ReviewState.OPEN, ReviewState.SNOOZED],
    ).update(
        state=ReviewState.RESOLVED,
        resolution=resolution,
        resolved_by=actor.user,
        resolved_at=now,
        updated_at=now,
    )
