"""Which live memories say nearly the same as one that was just written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memories.models import Memory
from memories.queries.candidates import roughly_best
from memories.queries.disagreements import asked_about
from memories.queries.verdicts import verdict_on
from memories.queries.words import Filters
from memories.rules.comparison.verdicts import Relation
from memories.rules.salience import WORTH_READING, salient_words, shared_words

AT_MOST = 3
# Texts that share half of their words share some of the telling ones.
AT_MOST_WORDS = 8
LOOKED_AT = 10
# A neighbour shares at least this much of the shorter text's words.
NEAR = 0.5
_ABOUT_IT = {Relation.RELATED, Relation.UNRELATED}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Live memories near a text, nearest first; none is in both lists."""

    similar: Sequence[Memory] = ()
    disagrees_with: Sequence[Memory] = ()


def neighbours(memory: Memory, *, now: datetime) -> Neighbours:
    """Return up to three similar memories and up to three that seem to contradict `memory`.

    What seems to say the same in other words comes first among the similar ones.
    """
    filters = Filters(besides=memory.pk)
    query = " ".join(salient_words(memory.content, AT_MOST_WORDS))
    best = roughly_best(memory.space, query, now=now, filters=filters, limit=LOOKED_AT)
    rows = Memory.objects.filter(space=memory.space).in_bulk(best)
    ranked = [rows[memory_id] for memory_id in best]
    verdicts = [
        (row, verdict_on(memory, row))
        for row in ranked
        if shared_words(memory.content, row.content) >= WORTH_READING
    ]
    repeated = [row for row, verdict in verdicts if verdict.relation is Relation.SAME]
    against = [row for row, verdict in verdicts if verdict.relation is Relation.CONFLICT]
    near = [
        row for row, verdict in verdicts if verdict.relation in _ABOUT_IT and verdict.shared >= NEAR
    ]
    return Neighbours([*repeated, *near][:AT_MOST], _unanswered(memory, against)[:AT_MOST])


def _unanswered(memory: Memory, against: Sequence[Memory]) -> list[Memory]:
    """Leave out what the person already said may stand beside `memory`."""
    asked = asked_about(memory.space, [memory, *against]) if against else {}
    return [row for row in against if asked.get(frozenset((memory.pk, row.pk)), True)]
