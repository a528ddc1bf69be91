"""A person's forget holds: what they forgot does not come back without them."""

from collections.abc import Iterable
from datetime import datetime

from memories.models import Memory
from memories.queries.restatements import spoken_of


def declined_at(memory: Memory) -> datetime | None:
    """Return when the person forgot what `memory` states, if that was their last word on it.

    Neither the kind nor the path makes a difference, and neither do other spellings: the same
    words as an observation are the same fact.
    """
    # What the person once confirmed of this memory may have been another text, so it is not asked.
    said = list(spoken_of(memory))
    declined = _latest(each.state_at for each in said if each.is_forgotten_by_person)
    affirmed = _latest(each.person_confirmed_at for each in said)
    if declined is None or (affirmed is not None and affirmed > declined):
        return None
    return declined


def _latest(moments: Iterable[datetime | None]) -> datetime | None:
    return max((each for each in moments if each is not None), default=None)
