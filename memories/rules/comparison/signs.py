"""What is denied: each item with the sign that negations give it."""

from collections.abc import Sequence
from dataclasses import replace

from memories.rules.comparison.items import CONTENT, Item, Sort
from memories.rules.comparison.vocabulary import Role

# Words that a negation reaches ahead, when no clause ends before.
_REACH = 6


def signed(items: Sequence[Item]) -> tuple[Item, ...]:
    """Give each item its sign: -1 under one negation, 0 under several.

    A negation denies what follows it in its clause; where nothing follows, what came before.
    """
    denials = [0] * len(items)
    for at, item in enumerate(items):
        if item.role is Role.NEGATION:
            for position in _scope(items, at):
                denials[position] += 1
    return tuple(
        replace(item, sign=-1 if count == 1 else 0) if count else item
        for item, count in zip(items, denials, strict=True)
    )


def _scope(items: Sequence[Item], at: int) -> list[int]:
    ahead: list[int] = []
    for position in range(at + 1, len(items)):
        if items[position].sort is Sort.BREAK or len(ahead) == _REACH:
            break
        if items[position].sort in CONTENT:
            ahead.append(position)
    return ahead or _before(items, at)


def _before(items: Sequence[Item], at: int) -> list[int]:
    found: list[int] = []
    for position in range(at - 1, -1, -1):
        if items[position].sort is Sort.BREAK or len(found) == _REACH:
            break
        if items[position].sort in CONTENT:
            found.append(position)
    return found
