"""Which memories state a fact in the same wording: the same, and nobody has to be asked."""

from collections.abc import Iterator

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q, QuerySet

from memories.models import Memory, State
from memories.queries.verdicts import is_certainly_the_same
from memories.rules.comparison.anchors import Anchor, anchors
from memories.rules.comparison.wording import same_wording

LIVE = [State.ACTIVE, State.HELD]
# Texts with the same telling words that are read; a space with more such texts has a family of
# them, and what is missed there is proposed as a repeat.
READ = 30


def restated(memory: Memory) -> Memory | None:
    """Return the live memory that certainly states what `memory` states, the oldest one first.

    One that holds comes before one that waits for the person. Call it inside the space.
    """
    rows = Memory.objects.filter(
        _may_say(memory), space_id=memory.space_id, kind=memory.kind, state__in=LIVE
    )
    found = [row for row in rows.exclude(pk=memory.pk)[:READ] if states_the_same(memory, row)]
    return min(found, key=_standing, default=None)


def states_the_same(first: Memory, second: Memory) -> bool:
    """Say whether one may refresh the other without anybody being asked."""
    if first.fact_key == second.fact_key:
        return first.kind == second.kind
    return is_certainly_the_same(first, second)


def in_the_same_words(memory: Memory, rows: QuerySet[Memory]) -> Iterator[Memory]:
    """Give those of `rows` that say the same in the same wording, of any kind and at any path."""
    may_say = _may_say(memory)
    for row in rows.filter(may_say, space_id=memory.space_id)[:READ]:
        if row.fact_key == memory.fact_key or same_wording(memory.content, row.content):
            yield row


def _may_say(memory: Memory) -> Q:
    is_the_same = Q(fact_key=memory.fact_key)
    found = anchors(memory.content)
    if not found:
        return is_the_same
    query = " & ".join(f"({_spelled(anchor)})" for anchor in found)
    # Anchors are letters, digits and full stops: nothing that the query language knows.
    return is_the_same | Q(words=SearchQuery(query, config="brain_exact", search_type="raw"))


def _spelled(anchor: Anchor) -> str:
    return " | ".join(
        "(" + " & ".join(f"'{part}'" for part in spelling) + ")" for spelling in anchor.spellings
    )


def _standing(memory: Memory) -> tuple[bool, object]:
    return memory.state != State.ACTIVE, memory.pk
