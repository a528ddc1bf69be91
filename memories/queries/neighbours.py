"""Which live memories say nearly the same as one that was just written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memories.models import Memory
from memories.queries.candidates import candidates
from memories.queries.words import Filters
from memories.rules.authorship import RULE_KINDS
from memories.rules.disagreements import disagree, overlap
from memories.rules.salience import salient_words, shared_words

AT_MOST = 3
# Texts that share half of their words share some of the telling ones.
AT_MOST_WORDS = 8
LOOKED_AT = 10
# A neighbour shares at least this much of the shorter text's words.
NEAR = 0.5
# Reading texts word for word costs milliseconds: below this share of plain words it is not tried.
WORTH_READING = 0.3


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Live memories near a text, nearest first; none is in both lists."""

    similar: Sequence[Memory] = ()
    disagrees_with: Sequence[Memory] = ()


def neighbours(memory: Memory, *, now: datetime) -> Neighbours:
    """Return up to three similar memories and up to three that seem to contradict `memory`."""
    filters = Filters(besides=memory.pk)
    query = " ".join(salient_words(memory.content, AT_MOST_WORDS))
    found = candidates(memory.space, query, now=now, filters=filters)
    best = sorted(found, key=lambda each: -each.bm25)[:LOOKED_AT]
    rows = Memory.objects.filter(space=memory.space).in_bulk([each.memory_id for each in best])
    ranked = [rows[each.memory_id] for each in best]
    near = [row for row in ranked if _is_near(memory.content, row.content)]
    against = [row for row in near if _disagree(memory, row)]
    similar = [row for row in near if row not in against]
    return Neighbours(similar[:AT_MOST], against[:AT_MOST])


def _is_near(first: str, second: str) -> bool:
    return shared_words(first, second) >= WORTH_READING and overlap(first, second) >= NEAR


def _disagree(first: Memory, second: Memory) -> bool:
    kinds, paths = (first.kind, second.kind), (first.path, second.path)
    return RULE_KINDS.issuperset(kinds) and disagree(
        first.content, second.content, kinds=kinds, paths=paths
    )
