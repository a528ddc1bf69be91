"""The words of a language that decide what a statement says, read from `data/`."""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TypedDict

_FOLDER = Path(__file__).parent / "data"


class Language(StrEnum):
    ENGLISH = "en"
    PORTUGUESE = "pt"
    OTHER = "other"


class Role(StrEnum):
    """What a word or a phrase does to the words around it."""

    NEGATION = "negation"
    UNIVERSAL = "universal"
    ONLY = "only"
    SOME = "some"
    MOST = "most"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    ABOUT = "about"
    CHANGE = "change"
    OBLIGATION = "obligation"
    PERMISSION = "permission"
    ADVICE = "advice"


class _LanguageFile(TypedDict):
    words: dict[str, list[str]]
    numbers: dict[str, dict[str, int]]


class _UnitEntry(TypedDict):
    dimension: str
    factor: str
    names: list[str]


Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its own name; only units of one dimension can be converted."""

    name: str
    dimension: str
    factor: Decimal


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language: sets of words, numbers by name, and what phrases do."""

    words: Mapping[str, frozenset[str]]
    numbers: Mapping[str, Mapping[str, int]]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    # Minutes that a part of the day adds to a clock of twelve hours.
    parts_of_day: Mapping[Phrase, int]
    # By the first word; the longest phrase first.
    roles: Mapping[str, tuple[tuple[Phrase, tuple[Role, ...]], ...]]
    openings: tuple[Phrase, ...]

    def has(self, name: str, word: str) -> bool:
        return word in self.words.get(name, frozenset())

    def number(self, name: str, word: str) -> int | None:
        return self.numbers.get(name, {}).get(word)


@cache
def vocabulary(language: Language) -> Vocabulary:
    """Return the words of `language`; of any other language only what gives it away."""
    found, borrowed = _language_file(language), _borrowed(language)
    words, own = found["words"], _roles(found["words"])
    light = words.get("light", [])
    return Vocabulary(
        words={name: frozenset(entries) for name, entries in words.items()},
        numbers={
            name: borrowed["numbers"].get(name, {}) | numbers
            for name, numbers in found["numbers"].items()
        },
        months=_numbered(borrowed["words"], "months", first=1)
        | _numbered(words, "months", first=1)
        | _numbered(words, "months_short", first=1),
        weekdays=_numbered(borrowed["words"], "weekdays", first=0)
        | _numbered(words, "weekdays", first=0),
        parts_of_day={
            tuple(text.split()): added
            for name, added in (("morning", 0), ("afternoon", 720))
            for text in words.get(name, ())
        },
        roles={
            word: roles
            for word, roles in (_roles(borrowed["words"]) | own).items()
            # "No" denies in English and is "in the" in Portuguese.
            if word in own or word not in light
        },
        openings=_longest_first(tuple(text.split()) for text in words.get("openings", ())),
    )


@cache
def units() -> Mapping[str, Unit]:
    """Return every spelling of every unit. Symbols keep their case: mW is not MW."""
    entries: dict[str, _UnitEntry] = json.loads((_FOLDER / "units.json").read_text("utf-8"))
    return {
        spelling: Unit(name, entry["dimension"], Decimal(entry["factor"]))
        for name, entry in entries.items()
        for spelling in entry["names"]
    }


@cache
def groups(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the named groups of words in a file: `concepts`, `alternatives`, `variants`."""
    entries: dict[str, list[str]] = json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))
    return {group: tuple(words) for group, words in entries.items()}


@cache
def opposites() -> tuple[tuple[str, str], ...]:
    """Return pairs of words of which only one can hold."""
    entries: dict[str, list[tuple[str, str]]] = json.loads(
        (_FOLDER / "opposites.json").read_text("utf-8")
    )
    return tuple((one, two) for one, two in entries["complements"])


def unaccented(word: str) -> str:
    """Return `word` without the marks on its letters."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _borrowed(language: Language) -> _LanguageFile:
    """Return the other language's file: texts mix the two, and a short one may be misread."""
    others = {
        Language.ENGLISH: Language.PORTUGUESE,
        Language.PORTUGUESE: Language.ENGLISH,
    }
    if language not in others:
        return {"words": {}, "numbers": {}}
    return _language_file(others[language])


def _language_file(language: Language) -> _LanguageFile:
    found: _LanguageFile = json.loads((_FOLDER / f"{language}.json").read_text("utf-8"))
    return found


def _numbered(words: Mapping[str, list[str]], name: str, *, first: int) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.get(name, ()), start=first)}


def _roles(
    words: Mapping[str, list[str]],
) -> dict[str, tuple[tuple[Phrase, tuple[Role, ...]], ...]]:
    phrases: dict[Phrase, list[Role]] = {}
    for role in Role:
        for text in words.get(role.value, ()):
            phrases.setdefault(tuple(text.split()), []).append(role)
    by_first: dict[str, list[tuple[Phrase, tuple[Role, ...]]]] = {}
    for phrase in _longest_first(phrases):
        by_first.setdefault(phrase[0], []).append((phrase, tuple(phrases[phrase])))
    return {word: tuple(found) for word, found in by_first.items()}


def _longest_first(phrases: Iterable[Phrase]) -> tuple[Phrase, ...]:
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))
