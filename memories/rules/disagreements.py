"""When two rules about the same thing cannot both hold: a first, cautious reading.

Flags only texts that share most of their words and have different numbers or only one negation:
the two signs that labelled pairs show to be rare among repeats and common among contradictions.
"""

import re

from memories.rules.authorship import RULE_KINDS
from memories.rules.facts import normalised

MIN_SHARED = 0.6
_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
NEGATIONS = frozenset(
    "not no never without none cannot don't doesn't didn't won't isn't aren't can't shouldn't "
    "mustn't não nunca jamais sem nenhum nenhuma nada nem".split()
)
_STOP = frozenset(
    "a an the of to in on at by for with and or is are be was were it its this that we i you they "
    "o os as um uma de do da dos das em no na nos nas por para com e ou é são ser foi ao à que se "
    "do does did".split()
)


def disagree(first: str, second: str, *, kinds: tuple[str, str]) -> bool:
    """Say whether two decisions or preferences seem to contradict each other."""
    if not set(kinds) <= RULE_KINDS:
        return False
    one, two = _words(first), _words(second)
    if one == two or _shared(one, two) < MIN_SHARED:
        return False
    # A number that only one of them gives is a detail, not a contradiction.
    numbers = _numbers(one) ^ _numbers(two)
    return bool(numbers & one and numbers & two) or bool(one & NEGATIONS) != bool(two & NEGATIONS)


def overlap(first: str, second: str) -> float:
    """Return the share of the shorter text's words (0 to 1) that the other one has too."""
    return _shared(_words(first), _words(second))


def _words(text: str) -> frozenset[str]:
    words = set(_WORD.findall(normalised(text).replace("’", "'")))  # noqa: RUF001
    return frozenset(words - (_STOP - NEGATIONS))


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0].isdigit())


def _shared(one: frozenset[str], two: frozenset[str]) -> float:
    """Return the share of the shorter text's plain words that the other has (0 to 1)."""
    one, two = (words - NEGATIONS - _numbers(words) for words in (one, two))
    smaller = min(len(one), len(two))
    return len(one & two) / smaller if smaller else 0.0
