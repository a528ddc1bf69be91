"""Long texts sentence by sentence: each with the one that it shares most with."""

from collections.abc import Iterator

from memories.rules.comparison.evidence import Evidence, evidence
from memories.rules.comparison.items import CONTENT, Item, Sort
from memories.rules.comparison.reading import Reading

_ENDS = frozenset(".!?\n\u3002\uff01\uff1f")
# Texts of up to this many sentences are compared as a whole too.
_SHORT = 2
# Sentences that are compared; a memory of four thousand characters rarely has more.
_MOST = 40


def pairs(first: Reading, second: Reading, whole: Evidence) -> Iterator[Evidence]:
    """Give the evidence of the whole texts if they are short, then of their closest sentences."""
    one, two = _sentences(first), _sentences(second)
    if max(len(one), len(two)) <= _SHORT:
        yield whole
    if len(one) == len(two) == 1 or not one or not two:
        return
    is_turned = len(one) > len(two)
    fewer, more = (two, one) if is_turned else (one, two)
    for sentence in fewer:
        closest = max(more, key=lambda other: len(_keys(sentence) & _keys(other)))
        left, right = (closest, sentence) if is_turned else (sentence, closest)
        yield evidence(Reading(first.language, left), Reading(second.language, right))


def _sentences(reading: Reading) -> list[tuple[Item, ...]]:
    found: list[list[Item]] = [[]]
    for item in reading.items:
        if item.sort is Sort.BREAK and item.text in _ENDS:
            found.append([])
        else:
            found[-1].append(item)
    said = (items for items in found if any(item.sort in CONTENT for item in items))
    return [tuple(items) for items in said][:_MOST]


def _keys(items: tuple[Item, ...]) -> frozenset[str]:
    return frozenset(item.key for item in items if item.sort in CONTENT and not item.is_weak)
