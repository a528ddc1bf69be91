"""Which words of a text tell most about what it is about."""

import re

_WORD = re.compile(r"[^\W_]+")


def salient_words(text: str, limit: int) -> list[str]:
    """Return up to `limit` distinct words, those with digits first, then the longest.

    Rare words tell most, and long words are rare (Zipf, "The Psycho-Biology of Language", 1935).
    """
    words = dict.fromkeys(_WORD.findall(text.lower()))
    ranked = sorted(words, key=lambda word: (not any(map(str.isdigit, word)), -len(word)))
    return ranked[:limit]
