"""Which live memories say nearly the same as one that was just written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memories.models import Memory
from memories.queries.words import Filters, by_words
from memories.rules.disagreements import disagree, overlap
from memories.rules.salience import salient_words

AT_MOST = 3
# Texts that share half of their words share some of the telling ones.
AT_MOST_WORDS = 8
# A neighbour shares at least this much of the shorter text's words.
NEAR = 0.5


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Live memories near a text, nearest first; none is in both lists."""

    similar: Sequence[Memory] = ()
    disagrees_with: Sequence[Memory] = ()


def neighbours(memory: Memory, *, now: datetime) -> Neighbours:
    """Return up to three similar memories and up to three that seem to contradict `memory`."""
    filters = Filters(besides=memory.pk)
    query = " ".join(salient_words(memory.content, AT_MOST_WORDS))
    words = by_words(memory.space, query, now=now, filters=filters, limit=10)
    rows = Memory.objects.filter(space=memory.space).in_bulk([word.memory_id for word in words])
    ranked = [rows[word.memory_id] for word in words]
    near = [row for row in ranked if overlap(memory.content, row.content) >= NEAR]
    against = [
        row for row in near if disagree(memory.content, row.content, kinds=(memory.kind, row.kind))
    ]
    similar = [row for row in near if row not in against]
    return Neighbours(similar[:AT_MOST], against[:AT_MOST])
