"""Values that cannot both hold: numbers, units, bounds, dates, times, versions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from memories.rules.comparison.items import Item, Quantity, Sort
from memories.rules.comparison.matching import Match
from memories.rules.comparison.verdicts import Aspect, Reason
from memories.rules.comparison.vocabulary import Role

# Each is compared with each: a text of nothing but numbers costs no more than this squared.
_MOST_VALUES = 30
_MONEY = frozenset({"euro", "dollar", "real", "pound", "cent"})
_FIELDS = {Sort.DATE: Aspect.DATE, Sort.TIME: Aspect.TIME, Sort.VERSION: Aspect.VERSION}
_OPPOSITE_BOUNDS = {Role.AT_LEAST: Role.AT_MOST, Role.AT_MOST: Role.AT_LEAST}


@dataclass(frozen=True, slots=True)
class Clash:
    """Two values in the same place; `is_open` when both can hold (at least 8, at most 64)."""

    reason: Reason
    first: Item
    second: Item
    is_open: bool = False


def clashes(match: Match) -> list[Clash]:
    """Return the values that only one side has, each with its counterpart on the other."""
    found: list[Clash] = list(_bounds(match))
    taken: set[int] = set()
    values = _values(match.second.lacking)
    for one in _values(match.first.lacking):
        for number, two in enumerate(values):
            clash = None if number in taken else _clash(one, two)
            if clash is not None:
                taken.add(number)
                found.append(clash)
                break
    return found or [*_singles(match), *(_turned(clash) for clash in _singles(match.turned()))]


def _values(items: Sequence[Item]) -> list[Item]:
    return list(islice(filter(_is_value, items), _MOST_VALUES))


def _is_value(item: Item) -> bool:
    return item.quantity is not None or item.is_label or item.sort in _FIELDS


def _clash(one: Item, two: Item) -> Clash | None:
    if one.is_label or two.is_label:
        return Clash(_reason(Aspect.NUMBER, one, two), one, two) if _labels(one, two) else None
    if one.quantity is not None and two.quantity is not None:
        return _quantities(one, two, one.quantity, two.quantity)
    if one.sort is not two.sort or one.sort not in _FIELDS:
        return None
    if one.sort is Sort.DATE and not _dates(one.key, two.key):
        return None
    return Clash(_reason(_FIELDS[one.sort], one, two), one, two)


def _labels(one: Item, two: Item) -> bool:
    return one.is_label == two.is_label and one.key.split()[0] == two.key.split()[0]


def _dates(one: str, two: str) -> bool:
    """Say whether two dates, or two weekdays, differ in something that both state."""
    kinds = one.partition(":"), two.partition(":")
    if kinds[0][0] != kinds[1][0]:
        return False
    parts = [kind[2].split("-") for kind in kinds]
    # 04/05/2026 in English can be either of two days: nobody can say that it is another one.
    return len(parts[0]) == len(parts[1]) and any(
        "?" not in pair and pair[0] != pair[1] for pair in zip(*parts, strict=True)
    )


def _quantities(one: Item, two: Item, first: Quantity, second: Quantity) -> Clash | None:
    are_money = {first.dimension, second.dimension} <= _MONEY
    if first.dimension != second.dimension and not are_money:
        return None
    if not first.dimension and first.of != second.of:
        return None
    has_unit = first.unit != second.unit
    aspect = Aspect.UNIT if has_unit and first.value == second.value else Aspect.NUMBER
    return Clash(_reason(aspect, one, two), one, two, is_open=_both_hold(first, second))


def _both_hold(first: Quantity, second: Quantity) -> bool:
    """Say whether one value can satisfy both: at least 8 and at most 64, or 6 in a range."""
    if first.dimension != second.dimension or first.bound is second.bound:
        return False
    low, high = (first, second) if first.size <= second.size else (second, first)
    return low.bound is not Role.AT_MOST and high.bound is not Role.AT_LEAST


def _bounds(match: Match) -> Iterator[Clash]:
    """Find the same number as the least here and as the most there."""
    bounded = {item.key: item for item in match.second.content if item.quantity is not None}
    for one in match.first.content:
        two = bounded.get(one.key)
        if one.quantity is not None and two is not None and two.quantity is not None:
            bound = one.quantity.bound
            if bound is not None and two.quantity.bound is _OPPOSITE_BOUNDS[bound]:
                reason = Reason(Aspect.BOUND, _bounded(one), _bounded(two))
                yield Clash(reason, one, two)


def _bounded(item: Item) -> str:
    assert item.quantity is not None
    assert item.quantity.bound is not None
    return f"{item.quantity.bound.replace('_', ' ')} {item.text}"


def _singles(match: Match) -> Iterator[Clash]:
    """Find what one side counts and the other has one of: two approvals, an approval."""
    singles = {item.key: item for item in match.second.content if item.is_single}
    for item in match.first.lacking:
        counted = item.quantity
        if counted is None or counted.unit is not None or counted.value == 1:
            continue
        if counted.of in singles:
            yield Clash(
                _reason(Aspect.NUMBER, item, singles[counted.of]), item, singles[counted.of]
            )


def _turned(clash: Clash) -> Clash:
    return Clash(clash.reason.turned(), clash.second, clash.first, clash.is_open)


def _reason(aspect: Aspect, one: Item, two: Item) -> Reason:
    return Reason(aspect, one.text, two.text)
