"""A person's forget holds: what they forgot does not come back without them."""

from datetime import datetime

from django.db.models import Max, Q

from memories.models import Memory
from memories.queries.restatements import in_the_same_words


def declined_at(memory: Memory) -> datetime | None:
    """Return when the person forgot what `memory` states, if that was their last word on it.

    Neither the kind nor the path makes a difference, and neither do other spellings: the same
    words as an observation are the same fact.
    """
    # What the person once confirmed of this memory may have been another text.
    others = Memory.objects.filter(space_id=memory.space_id).exclude(pk=memory.pk)
    dates = others.filter(fact_key=memory.fact_key).aggregate(
        declined=Max("state_at", filter=Q(is_forgotten_by_person=True)),
        affirmed=Max("person_confirmed_at"),
    )
    spoken = others.filter(Q(is_forgotten_by_person=True) | Q(person_confirmed_at__isnull=False))
    said = list(in_the_same_words(memory, spoken))
    declined = _latest(
        dates["declined"], *(each.state_at for each in said if each.is_forgotten_by_person)
    )
    affirmed = _latest(dates["affirmed"], *(each.person_confirmed_at for each in said))
    if declined is None or (affirmed is not None and affirmed > declined):
        return None
    return declined


def _latest(*moments: datetime | None) -> datetime | None:
    return max((each for each in moments if each is not None), default=None)
