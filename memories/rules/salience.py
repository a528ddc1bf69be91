"""Which words of a text tell most about what it is about."""

import re

# Reading texts word for word costs milliseconds: below this share of plain words it is not tried.
WORTH_READING = 0.2
_WORD = re.compile(r"[^\W_]+")


def salient_words(text: str, limit: int) -> list[str]:
    """Return up to `limit` distinct words, those with digits first, then the longest.

    Rare words tell most, and long words are rare (Zipf, "The Psycho-Biology of Language", 1935).
    """
    words = dict.fromkeys(_WORD.findall(text.lower()))
    ranked = sorted(words, key=lambda word: (not any(map(str.isdigit, word)), -len(word)))
    return ranked[:limit]


def shared_words(first: str, second: str) -> float:
    """Return the share of the shorter text's distinct words (0 to 1) that the other one has."""
    one, two = (set(_WORD.findall(text.lower())) for text in (first, second))
    smaller = min(len(one), len(two))
    return len(one & two) / smaller if smaller else 0.0
