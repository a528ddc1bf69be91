"""A person's forget holds: what they forgot does not come back without them."""

from datetime import datetime

from django.db.models import Max

from memories.models import Memory


def declined_at(memory: Memory) -> datetime | None:
    """Return when the person forgot what `memory` states, if that was their last word on it.

    The kind makes no difference: the same words as an observation are the same fact.
    """
    same = Memory.objects.filter(space_id=memory.space_id, fact_key=memory.fact_key)
    # What the person once confirmed of this memory may have been another text.
    same = same.exclude(pk=memory.pk)
    declined: datetime | None = same.filter(is_forgotten_by_person=True).aggregate(
        at=Max("state_at")
    )["at"]
    affirmed = same.aggregate(at=Max("person_confirmed_at"))["at"]
    if declined is None or (affirmed is not None and affirmed > declined):
        return None
    return declined
