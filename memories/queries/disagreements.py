"""Which pairs of memories the person was asked about as disagreeing, and what became of it."""

from collections.abc import Collection, Iterable
from datetime import datetime
from uuid import UUID

from memories.models import Memory, Question, ReviewItem, ReviewState
from spaces.models import Space

AT_MOST = 5


def asked_about(space: Space, memories: Iterable[Memory]) -> dict[frozenset[UUID], bool]:
    """Return the pairs that the person was asked about, each with whether it is still open.

    An answer counts as long as both texts are those that they saw. Call it inside the space.
    """
    versions = {memory.pk: memory.version for memory in memories}
    items = ReviewItem.objects.in_space(space).filter(
        question=Question.DISAGREEMENT, memory__in=versions, other__in=versions
    )
    return {
        frozenset((item.memory_id, item.other_id)): item.state != ReviewState.RESOLVED
        for item in items.order_by("created_at")
        if item.other_id
        and (versions[item.memory_id], versions[item.other_id])
        == (item.memory_version, item.other_version)
    }


def open_among(
    space: Space, memory_ids: Collection[UUID], *, now: datetime
) -> list[tuple[UUID, UUID]]:
    """Return the pairs of these memories of which the person has not said yet which one holds."""
    items = ReviewItem.objects.in_space(space).filter(
        question=Question.DISAGREEMENT, memory__in=memory_ids, other__in=memory_ids
    )
    found = items.unsettled().sensible(now=now).order_by("created_at", "pk")
    return [(item.memory_id, item.other_id) for item in found[:AT_MOST] if item.other_id]
