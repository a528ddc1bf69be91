"""Find the memory that already states a fact, or add one: never two, whoever comes first."""

from brain.lib.errors import UnavailableError
from memories.models import Memory
from memories.queries.restatements import LIVE, restated, states_the_same
from memories.rules.comparison.wording import wording_of
from memories.services.locking import hold

TRIES = 5


def found_or_added(fresh: Memory) -> Memory:
    """Return the live memory that certainly states what `fresh` states, or `fresh`, now added.

    The row is held until the commit, so that confirmations are counted one after the other.
    """
    # The constraint knows only the same text; other spellings of it have to queue here.
    hold("wording", fresh.space, f"{fresh.kind} {wording_of(fresh.content)}")
    for _ in range(TRIES):
        if (said := restated(fresh)) and (held := _held(said, fresh)):
            return held
        Memory.objects.bulk_create([fresh], ignore_conflicts=True)
        if Memory.objects.filter(space=fresh.space, pk=fresh.pk).exists():
            return fresh
        if same := _with_its_key(fresh):
            return same
        # Somebody forgot it between the two statements: now there is room for ours.
    raise UnavailableError("This memory is being changed by somebody else.")


def _held(said: Memory, fresh: Memory) -> Memory | None:
    """Return the row as it is once nobody else changes it, if it still states the same."""
    rows = Memory.objects.select_for_update().filter(space=fresh.space, state__in=LIVE)
    held = rows.filter(pk=said.pk).first()
    return held if held is not None and states_the_same(held, fresh) else None


def _with_its_key(fresh: Memory) -> Memory | None:
    same = Memory.objects.select_for_update().filter(
        space=fresh.space, kind=fresh.kind, fact_key=fresh.fact_key, state__in=LIVE
    )
    return same.first()
