"""The key of a word: equal for inflections, for synonyms and for translations."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

import snowballstemmer

from memories.rules.comparison.vocabulary import (
    Language,
    groups,
    opposites,
    unaccented,
    vocabulary,
)

_STEMMED = {Language.ENGLISH: "english", Language.PORTUGUESE: "portuguese"}


@lru_cache(maxsize=20_000)
def key(word: str, language: Language) -> str:
    """Return the key of a lower-case `word`; in other languages the word itself."""
    stem = _stem(word, language)
    if language is Language.OTHER:
        return stem
    concepts = _concepts()
    return concepts.get(word) or concepts.get(f"{language}:{stem}") or stem


def name_key(name: str) -> str:
    """Return the key of a lower-case name, which has no inflections: Marco is not Marcos."""
    return _concepts().get(name) or unaccented(name)


@cache
def alternatives() -> Mapping[str, frozenset[str]]:
    """Return for the key of a word the groups in which only one usually holds."""
    found: dict[str, set[str]] = {}
    for group, words in groups("alternatives").items():
        for word_key in _keys(words):
            found.setdefault(word_key, set()).add(group)
    return {word_key: frozenset(names) for word_key, names in found.items()}


@cache
def opposite_keys() -> frozenset[tuple[str, str]]:
    """Return the pairs of keys that exclude each other, in both orders."""
    pairs = {
        (one, two)
        for first, second in opposites()
        for one in _keys([first])
        for two in _keys([second])
        if one != two
    }
    return frozenset(pairs | {(two, one) for one, two in pairs})


@cache
def verbs(name: str) -> frozenset[str]:
    """Return the verbs of a set in all languages, as they are spelled without accents."""
    return frozenset(
        unaccented(word) for language in _STEMMED for word in vocabulary(language).words[name]
    )


@cache
def _concepts() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for concept, words in groups("concepts").items():
        for word in words:
            found[word] = f"={concept}"
            for language in _STEMMED:
                found.setdefault(f"{language}:{_stem(word, language)}", f"={concept}")
    return found


def _keys(words: Iterable[str]) -> set[str]:
    """Return the keys that the words have in any language, and as names."""
    stems = {key(word, language) for word in words for language in _STEMMED}
    return stems | {name_key(word) for word in words}


def _stem(word: str, language: Language) -> str:
    if language is Language.OTHER:
        return word
    stemmer = snowballstemmer.stemmer(_STEMMED[language])
    return unaccented(stemmer.stemWord(word))
