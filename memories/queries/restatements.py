"""Which memories state a fact in the same wording: the same, and nobody has to be asked.

Every save asks twice, so the question is written in SQL: putting it together from a QuerySet takes
longer than PostgreSQL needs to answer it.
"""

from collections.abc import Iterator

from memories.models import Memory, State
from memories.queries.verdicts import is_certainly_the_same
from memories.rules.comparison.anchors import Anchor, anchors
from memories.rules.comparison.wording import same_wording

LIVE = [State.ACTIVE, State.HELD]
# Texts with the same telling words that are read; a space with more such texts has a family of
# them, and what is missed there is proposed as a repeat.
READ = 30

# Those with the same text come first.
_MAY_SAY = """
    select id, space_id, kind, path, content, fact_key, state, state_at,
           is_forgotten_by_person, person_confirmed_at
    from memories_memory
    where space_id = %(space)s and id <> %(memory)s and {which}
        and (fact_key = %(fact_key)s or words @@ to_tsquery('brain_exact', %(words)s))
    order by fact_key = %(fact_key)s desc, {first}
    limit %(limit)s
"""
_LIVE = _MAY_SAY.format(which="kind = %(kind)s and state = any(%(live)s)", first="id")
# Of the person's words on a fact only the last counts.
_SPOKEN_OF = _MAY_SAY.format(
    which="(is_forgotten_by_person or person_confirmed_at is not null)",
    first="greatest(state_at, person_confirmed_at) desc",
)


def restated(memory: Memory) -> Memory | None:
    """Return the live memory that certainly states what `memory` states, the oldest one first.

    One that holds comes before one that waits for the person. Call it inside the space.
    """
    rows = _asked(_LIVE, memory, kind=memory.kind, live=LIVE)
    return min((row for row in rows if states_the_same(memory, row)), key=_standing, default=None)


def states_the_same(first: Memory, second: Memory) -> bool:
    """Say whether one may refresh the other without anybody being asked."""
    if first.fact_key == second.fact_key:
        return first.kind == second.kind
    return is_certainly_the_same(first, second)


def spoken_of(memory: Memory) -> Iterator[Memory]:
    """Give the other memories in the same wording that the person forgot or confirmed.

    They are of any kind and at any path, those that the person spoke about last come first.
    """
    for row in _asked(_SPOKEN_OF, memory):
        if row.fact_key == memory.fact_key or same_wording(memory.content, row.content):
            yield row


def _asked(question: str, memory: Memory, **values: object) -> Iterator[Memory]:
    found = anchors(memory.content)
    # Anchors are letters, digits and full stops: nothing that the query language knows.
    words = " & ".join(f"({_spelled(anchor)})" for anchor in found) or None
    known = {
        "space": memory.space_id,
        "memory": memory.pk,
        "fact_key": memory.fact_key,
        "words": words,
        "limit": READ,
    }
    return iter(Memory.objects.raw(question, known | values))


def _spelled(anchor: Anchor) -> str:
    return " | ".join(
        "(" + " & ".join(f"'{part}'" for part in spelling) + ")" for spelling in anchor.spellings
    )


def _standing(memory: Memory) -> tuple[bool, object]:
    return memory.state != State.ACTIVE, memory.pk
