"""What is said in place of what, and whether one thing is replaced or several."""

from collections.abc import Iterable, Sequence

from memories.rules.comparison.clashes import Clash
from memories.rules.comparison.evidence import Evidence
from memories.rules.comparison.items import VALUES, Item, Sort
from memories.rules.comparison.matching import Match, Side

_NAMES = frozenset({Sort.NAME, Sort.OPTION})
_ARTICLES = frozenset({"a", "an", "the", "o", "os", "as"})
_PREPOSITIONS = frozenset("in as at on by with for to from em no na como por com para de".split())
# Words of what is replaced, and words before it that decide.
_LONGEST = 3
_FEW = 3
_MASCULINE = {"da": "do", "na": "no", "pela": "pelo", "à": "ao"}


def sides(matched: Match) -> tuple[Side, Side]:
    return matched.first, matched.second


def explained(found: Evidence) -> frozenset[Item]:
    """Return the items that differ in a way that is understood: values, opposites, names."""
    told = differing(found.clashes, found) | {
        item
        for side in sides(found.match)
        for item in side.lacking
        if found.names and item.sort in _NAMES
    }
    # "Ubuntu 24.04" and "Debian 12".
    beside = {
        item
        for side in sides(found.match)
        for run in side.runs
        if told.intersection(run)
        for item in run
        if item.sort in VALUES
    }
    return frozenset(told | beside)


def differing(clashing: Sequence[Clash], found: Evidence) -> frozenset[Item]:
    """Return the items of the clashes and of the opposites."""
    values = {item for clash in clashing for item in (clash.first, clash.second)}
    return frozenset(values | {item for _, one, two in found.opposed for item in (one, two)})


def stand_together(side: Side, items: Iterable[Item]) -> bool:
    """Say whether nothing that both say lies between them: Thursday 3 pm, Monday 9 am."""
    here = frozenset(items).intersection(side.lacking)
    if len({item.is_subject for item in here}) > 1:
        return False
    return len(here) <= 1 or any(here.issubset(run) for run in side.runs)


def replaced_elsewhere(matched: Match, understood: frozenset[Item]) -> bool:
    """Say whether each side has something of its own besides what is understood."""
    return all(any(item not in understood for item in side.lacking) for side in sides(matched))


def are_about_two(matched: Match) -> bool:
    """Say whether each side has a subject of its own."""
    return all(any(item.is_subject for item in side.lacking) for side in sides(matched))


def is_compound(found: Evidence) -> bool:
    """Say whether one subject is narrower: the launch, the launch party."""
    understood = explained(found)
    return any(
        item.is_subject and item.sort is Sort.WORD and item not in understood
        for side in sides(found.match)
        for item in side.lacking
    )


def names_another_subject(found: Evidence) -> bool:
    """Say whether what is replaced tells which one is meant: issue 812, Python 3.11 is ..."""
    return any(
        clash.first.is_subject
        and clash.second.is_subject
        and (clash.first.is_label or clash.first.sort is Sort.VERSION)
        for clash in found.clashes
    )


def in_one_frame(matched: Match) -> bool:
    """Say whether one run is replaced by another, and every other word is the same."""
    if any(len(side.runs) != 1 or len(side.lacking) > _LONGEST for side in sides(matched)):
        return False
    first, second = (_frame(side) for side in sides(matched))
    return first == second


def _frame(side: Side) -> list[str]:
    return [
        _MASCULINE.get(item.key, item.key)
        for item in side.items
        if item not in side.lacking and item.sort is not Sort.BREAK and item.plain not in _ARTICLES
    ]


def follows_a_preposition(side: Side) -> bool:
    """Say whether what only this side has is said after "in", "as", "for" and the like."""
    return any(item.plain in _PREPOSITIONS for item in leading_up_to(side, side.lacking)[-2:])


def leading_up_to(side: Side, items: Sequence[Item]) -> Sequence[Item]:
    """Return the few words before the first of `items`."""
    if not items:
        return ()
    at = side.items.index(items[0])
    return side.items[max(0, at - _FEW) : at]
