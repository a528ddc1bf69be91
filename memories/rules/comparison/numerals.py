"""Numbers in digits and in words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from memories.rules.comparison.tokens import Shape, Token
from memories.rules.comparison.vocabulary import Vocabulary, units

_GROUPED_BY_COMMA = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GROUPED_BY_POINT = re.compile(r"-?\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_LONGEST = 20
_TEN, _HUNDRED = 10, 100
_RATES = frozenset({"per", "each", "every", "por", "cada", "/", "a"})


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number and how many tokens it takes; `is_literal` when it is one token of digits."""

    value: Decimal
    used: int
    is_literal: bool
    is_ordinal: bool = False


def numeral(tokens: Sequence[Token], at: int, words: Vocabulary) -> Numeral | None:
    """Read the number that begins at `at`: "40 mil", "two hundred and five", "1st"."""
    if tokens[at].shape is Shape.NUMBER:
        if not _is_plain(tokens[at].text):
            return None
        value, end = digits(tokens[at].text, words), at + 1
        if end < len(tokens) and words.has("ordinal_ends", tokens[end].low):
            return Numeral(value, 2, is_literal=True, is_ordinal=True)
    else:
        counted = _in_words(tokens, at, words) or _one_of_many(tokens, at, words)
        if counted is None:
            return None
        value, end = counted
    scaled, scaled_end = _scaled(tokens, end, words, value)
    is_literal = scaled_end == at + 1 and tokens[at].shape is Shape.NUMBER
    is_ordinal = words.number("ordinals", tokens[scaled_end - 1].low) is not None
    return Numeral(scaled, scaled_end - at, is_literal, is_ordinal)


def _one_of_many(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[Decimal, int] | None:
    """Read the article of "a hundred" and "um milhão" as one."""
    is_scale = at + 1 < len(tokens) and words.number("scales", tokens[at + 1].low) is not None
    return (Decimal(1), at + 1) if is_scale and words.has("ones", tokens[at].low) else None


def _scaled(
    tokens: Sequence[Token], end: int, words: Vocabulary, value: Decimal
) -> tuple[Decimal, int]:
    """Read the scales that follow, and what is added to them: "hundred and five"."""
    while end < len(tokens) and (scale := words.number("scales", tokens[end].low)):
        value, end = value * scale, end + 1
        added = _in_words(tokens, _joined(tokens, end, words), words)
        if added is not None and added[0] < scale:
            value, end = value + added[0], added[1]
    return value, end


def _joined(tokens: Sequence[Token], at: int, words: Vocabulary) -> int:
    return at + 1 if at < len(tokens) and words.has("joiner", tokens[at].low) else at


def _is_plain(text: str) -> bool:
    """Say whether the digits are a number: neither 007 nor 1,2,3, and not too long to count."""
    groups = re.split("[.,]", text.lstrip("-\u2212"))
    is_code = len(groups[0]) > 1 and groups[0].startswith("0")
    is_list = len(groups) > 2 and any(len(group) != 3 for group in groups[1:-1])  # noqa: PLR2004
    return not is_code and not is_list and len(text) <= _LONGEST


def digits(text: str, words: Vocabulary) -> Decimal:
    """Return the value of digits; a point groups thousands in Portuguese, a comma in English."""
    text = text.replace("\u2212", "-")
    is_portuguese = words.has("joiner", "e")
    grouped = _GROUPED_BY_POINT if is_portuguese else _GROUPED_BY_COMMA
    if grouped.fullmatch(text):
        text = text.replace("." if is_portuguese else ",", "")
    whole, _, rest = text.replace(",", ".").partition(".")
    return Decimal(f"{whole}.{rest.replace('.', '')}" if rest else whole)


def _in_words(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[Decimal, int] | None:
    """Read "twenty-four" or "vinte e quatro"."""
    value = _one(tokens, at, words)
    if value is None:
        return None
    end = at + 1
    while True:
        joined = _joined(tokens, end, words)
        added = _one(tokens, joined, words)
        if added is None or not _fits(value, added):
            return value, end
        value, end = value + added, joined + 1


def _fits(value: Decimal, added: Decimal) -> bool:
    """Say whether `added` continues the number: 20 and 4 do, 4 and 8 or 30 and 60 do not."""
    follows_tens = 0 < added < _TEN <= value and value % _TEN == 0
    return follows_tens or (0 < added < _HUNDRED <= value and value % _HUNDRED == 0)


def _one(tokens: Sequence[Token], at: int, words: Vocabulary) -> Decimal | None:
    if at >= len(tokens) or tokens[at].shape is not Shape.WORD:
        return None
    token = tokens[at]
    value = _named(token.low, words)
    # "Per second" counts nothing.
    is_rate = token.low in units() and at > 0 and tokens[at - 1].low in _RATES
    return None if value is None or is_rate else Decimal(value)


def _named(word: str, words: Vocabulary) -> int | None:
    """Return what "four", "twenty-four" or "fourth" stands for."""
    value = 0
    for part in word.split("-"):
        number = words.number("numerals", part)
        if number is None:
            return words.number("ordinals", word)
        value += number
    return value
