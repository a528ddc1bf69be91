"""Which words of two texts are not in the other one, for a reader who compares them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# A number with its separators is one word: 5.2 and 5.3 differ as a whole.
_WORD = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d]+(?:['\u2019][^\W\d]+)*|[^\w\s]")
# Aligning words takes as many steps as the product of their numbers; above this, words are
# only looked up in the other text.
MAX_STEPS = 250_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text; `differs` when the other text does not have it here."""

    text: str
    differs: bool


def differences(first: str, second: str) -> tuple[list[Piece], list[Piece]]:
    """Cut both texts into pieces; the pieces of each, joined, are the text again.

    Letter case and white space make no difference.
    """
    one, two = list(_WORD.finditer(first)), list(_WORD.finditer(second))
    kept_one, kept_two = _shared(
        [match[0].casefold() for match in one], [match[0].casefold() for match in two]
    )
    return list(_pieces(first, one, kept_one)), list(_pieces(second, two, kept_two))


def _shared(one: Sequence[str], two: Sequence[str]) -> tuple[set[int], set[int]]:
    """Return the places of the words that both have in the same order."""
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    end = 0
    while end < min(len(one), len(two)) - start and one[-1 - end] == two[-1 - end]:
        end += 1
    kept_one = {*range(start), *range(len(one) - end, len(one))}
    kept_two = {*range(start), *range(len(two) - end, len(two))}
    middle_one, middle_two = one[start : len(one) - end], two[start : len(two) - end]
    if len(middle_one) * len(middle_two) > MAX_STEPS:
        kept_one.update(start + place for place in _places_of(middle_one, set(middle_two)))
        kept_two.update(start + place for place in _places_of(middle_two, set(middle_one)))
    else:
        for left, right in _longest_common(middle_one, middle_two):
            kept_one.add(start + left)
            kept_two.add(start + right)
    return kept_one, kept_two


def _longest_common(one: Sequence[str], two: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of a longest common subsequence (Wagner and Fischer, 1974)."""
    lengths = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for left in range(len(one) - 1, -1, -1):
        row, below = lengths[left], lengths[left + 1]
        for right in range(len(two) - 1, -1, -1):
            is_same = one[left] == two[right]
            row[right] = below[right + 1] + 1 if is_same else max(below[right], row[right + 1])
    left = right = 0
    while left < len(one) and right < len(two):
        if one[left] == two[right]:
            yield left, right
            left, right = left + 1, right + 1
        elif lengths[left + 1][right] >= lengths[left][right + 1]:
            left += 1
        else:
            right += 1


def _places_of(words: Sequence[str], wanted: set[str]) -> Iterator[int]:
    return (place for place, word in enumerate(words) if word in wanted)


def _pieces(text: str, words: Sequence[re.Match[str]], kept: set[int]) -> Iterator[Piece]:
    """Join neighbours of one sort; what lies between two differing words belongs to them."""
    end, place = 0, 0
    while place < len(words):
        if place in kept:
            place += 1
            continue
        first = place
        while place < len(words) and place not in kept:
            place += 1
        start, stop = words[first].start(), words[place - 1].end()
        if end < start:
            yield Piece(text[end:start], differs=False)
        yield Piece(text[start:stop], differs=True)
        end = stop
    if end < len(text):
        yield Piece(text[end:], differs=False)
