"""Words by which texts in the same wording can be looked up, before they are compared."""

import re
from dataclasses import dataclass

from memories.rules.comparison.tokens import Shape, Token, tokens
from memories.rules.comparison.wording import same_words_as_written

# A handful of words narrows enough, and the longest ones are the rarest.
AT_MOST = 6
_SHORTEST = 3
# What may stand in one word with another instead: won't, doesn't, cannot, they're.
_SHORTENED = frozenset(
    "not can will shall are was were has had have does did would should could might must "
    "need".split()
)
_WHOLE = re.compile(r"[0-9]{4,40}")
_GROUPED = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{3})+")


@dataclass(frozen=True, slots=True)
class Anchor:
    """One thing that every text of a wording has, in one of these spellings.

    A spelling is made of parts that all have to be there.
    """

    spellings: tuple[tuple[str, ...], ...]


def anchors(text: str) -> tuple[Anchor, ...]:
    """Return what every text in the same wording as `text` has too; empty when nothing is sure.

    The other way round it does not hold: a text with all of them may say anything.
    """
    found = tokens(text)
    kept = same_words_as_written(text)
    words = sorted(
        {token.low for token in found if _is_plain(token) and token.low in kept},
        key=lambda word: (-len(word), word),
    )
    numbers = (_number(token.text) for token in found if token.shape is Shape.NUMBER)
    named = dict.fromkeys(Anchor(spellings) for spellings in numbers if spellings)
    worded = (Anchor(((word,),)) for word in words)
    return (*[*named][:AT_MOST], *[*worded][:AT_MOST])


def _is_plain(token: Token) -> bool:
    return (
        token.shape is Shape.WORD
        and token.text.isalpha()
        and token.text.lower() == token.low
        and len(token.low) >= _SHORTEST
        and token.low not in _SHORTENED
    )


def _number(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the ways to write a large number: 4121, 4,121 and 4.121; of others none is sure."""
    if _GROUPED.fullmatch(text):
        groups = re.split("[.,]", text)
    elif _WHOLE.fullmatch(text):
        groups = _groups(text)
    else:
        return ()
    return ("".join(groups),), (".".join(groups),), tuple(groups)


def _groups(digits: str) -> list[str]:
    first = len(digits) % 3 or 3
    return [digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))]
