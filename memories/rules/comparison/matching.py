"""What two readings have in common, and what only one of them says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from memories.rules.comparison.items import CONTENT, VALUES, Item, Sort
from memories.rules.comparison.reading import Reading

_WEAK = 0.4


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: everything it says, and the strong items that the other lacks, in runs.

    A run is what stands together: nothing that both say lies between its items.
    """

    items: tuple[Item, ...]
    content: tuple[Item, ...]
    lacking: tuple[Item, ...]
    runs: tuple[tuple[Item, ...], ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Two sides whose keys can be compared, and how much of the words they share."""

    first: Side
    second: Side
    shared: frozenset[str]
    # Weight of the shared words: of the shorter text, and of both together (0 to 1).
    contained: float
    alike: float
    # How many strong words both have.
    strong: int

    def turned(self) -> "Match":
        return replace(self, first=self.second, second=self.first)


def match(first: Reading, second: Reading) -> Match:
    """Match two readings; words are also the same when they are spelled the same."""
    one = first.items
    two = _with_keys_of(one, second.items)
    keys_one, keys_two = _keys(one), _keys(two)
    shared = frozenset(keys_one & keys_two)
    sides = (_side(one, keys_two), _side(two, keys_one))
    weights = [_weights(side.content) for side in sides]
    common = sum(max(weights[0][key], weights[1][key]) for key in shared & weights[0].keys())
    totals = [sum(found.values()) for found in weights]
    smaller = min(totals)
    return Match(
        *sides,
        shared=shared,
        contained=min(1.0, common / smaller) if smaller else 0.0,
        alike=min(1.0, 2 * common / sum(totals)) if sum(totals) else 0.0,
        strong=sum(weights[0].get(key, 0) == 1 for key in shared),
    )


def context(matched: Match, explained: frozenset[Item]) -> tuple[float, float]:
    """Return which share of each side's words around `explained` both have, the smaller first."""
    sides = [
        _weights([item for item in side.content if item not in explained])
        for side in (matched.first, matched.second)
    ]
    shares = [
        sum(weight for key, weight in weights.items() if key in matched.shared)
        / sum(weights.values())
        for weights in sides
        if weights
    ]
    return min(shares, default=0.0), max(shares, default=0.0)


def _with_keys_of(one: Sequence[Item], two: Sequence[Item]) -> tuple[Item, ...]:
    """Give items of `two` the keys of items of `one` that are spelled or valued the same."""
    by_plain = {item.plain: item.key for item in one if item.plain and item.sort in CONTENT}
    by_size = {_size(item): item.key for item in one if _size(item)}
    keys = {item.key for item in one}

    def keyed(item: Item) -> Item:
        if item.key in keys or item.sort not in CONTENT:
            return item
        found = by_plain.get(item.plain) or by_size.get(_size(item))
        return replace(item, key=found) if found else item

    return tuple(map(keyed, two))


def _size(item: Item) -> tuple[str, Decimal] | None:
    """Return the size of a value with a unit: sixty minutes are an hour."""
    found = item.quantity
    if found is None or not found.dimension or not found.value:
        return None
    return found.dimension, found.size.normalize()


def _keys(items: Sequence[Item]) -> set[str]:
    return {item.key for item in items if item.sort in CONTENT}


def _side(items: tuple[Item, ...], others: set[str]) -> Side:
    runs: list[list[Item]] = [[]]
    for item in items:
        if item.sort not in CONTENT or item.is_weak:
            continue
        if item.key not in others:
            runs[-1].append(item)
        elif runs[-1]:
            runs.append([])
    return Side(
        items=items,
        content=tuple(item for item in items if item.sort in CONTENT),
        lacking=tuple(item for run in runs for item in run),
        runs=tuple(tuple(run) for run in runs if run),
    )


def _weights(content: Sequence[Item]) -> Mapping[str, float]:
    """Return what each word counts for; values are compared, not counted."""
    return {
        item.key: _WEAK if item.is_weak else 1.0
        for item in content
        if item.sort not in VALUES and item.sort is not Sort.ROLE
    }
