"""In which language a text is written, as far as its words tell."""

from collections.abc import Mapping, Sequence
from functools import cache

from memories.rules.comparison.tokens import Shape, Token
from memories.rules.comparison.vocabulary import Language, Role, vocabulary

# Sets of words that a language is recognised by.
_TELLING = ("known_by", "light", "weak", "pivots", "weekdays", "months", *Role)
_LETTERS = {
    Language.PORTUGUESE: (frozenset("ãõ"), frozenset("áâàéêíóôúç")),
    Language.OTHER: (frozenset("ñßäöüåøæœ¿¡ìòùěščřžąćęłńśźżğış"),),
}
# Up to here: Latin letters of European languages (Unicode, Latin Extended-B).
_LATIN_ENDS = 0x24F


def is_foreign(word: str) -> bool:
    """Say whether a word has letters that neither English nor Portuguese is written with."""
    return not word.isascii() and any(ord(letter) > _LATIN_ENDS for letter in word)


def language(tokens: Sequence[Token]) -> Language:
    """Return the language that most words and letters speak for; English when nothing does."""
    # What stands before a colon may be no more than a label: "Decisão: ...".
    labelled = len(tokens) > 2 and tokens[1].text == ":"  # noqa: PLR2004
    told = tokens[2:] if labelled else tokens
    words = {token.low for token in told if token.shape is Shape.WORD}
    letters = frozenset("".join(words))
    votes = {found: len(words & known) for found, known in _known().items()}
    for found, kinds in _LETTERS.items():
        votes[found] += sum(bool(letters & kind) for kind in kinds)
    votes[Language.OTHER] += 2 * any(map(is_foreign, letters))
    # The first of equals is the one with the larger vocabulary.
    return max(Language, key=lambda found: votes[found])


@cache
def _known() -> Mapping[Language, frozenset[str]]:
    """Return the words by which each language is told from the other two."""
    found = {
        spoken: frozenset[str]().union(
            *(vocabulary(spoken).words.get(name, frozenset()) for name in _TELLING)
        )
        for spoken in Language
    }
    english, portuguese = found[Language.ENGLISH], found[Language.PORTUGUESE]
    # "No" denies in English and is "in the" in Portuguese.
    found[Language.ENGLISH] = english - portuguese
    found[Language.PORTUGUESE] = portuguese - english
    return found
