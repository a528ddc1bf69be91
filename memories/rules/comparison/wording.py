"""Whether two texts use the same words: what may differ without anybody being asked.

Articles, spelling variants, numbers in words, the spelling of dates and units, openings such as
"Decision:", and where an adverbial stands ("On Fridays we ..."). Every other word decides, in its
order, with its inflection: "on Friday" is not "on Fridays".
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from memories.rules.comparison.languages import language
from memories.rules.comparison.moments import moment
from memories.rules.comparison.quantities import quantity
from memories.rules.comparison.tokens import Shape, Token, tokens
from memories.rules.comparison.vocabulary import Language, Vocabulary, groups, vocabulary

# Prepositions that can open an adverbial: it is the same in front and at the end.
_OPENERS = frozenset(
    "on in at by for after before during since until within every each to from with without when "
    "em no na nos nas às à aos por para durante depois antes desde até todo toda cada com sem "
    "quando".split()
)


def same_wording(first: str, second: str) -> bool:
    """Say whether both texts have the same words, up to one adverbial moved to the other end."""
    one, two = _canonical(first), _canonical(second)
    if one[0] is not two[0] or not one[1]:
        return False
    return one[1] == two[1] or _is_turned(one[1], two[1]) or _is_turned(two[1], one[1])


def same_words_as_written(text: str) -> frozenset[str]:
    """Return the words of `text` that every text in the same wording spells like this."""
    return frozenset(_canonical(text)[1]) - _variants().keys() - set(_variants().values())


def wording_of(text: str) -> str:
    """Return a text that is equal for texts in the same wording, and rarely for others."""
    spoken, words = _canonical(text)
    # In no order, because an adverbial may stand at either end.
    return " ".join([spoken, *sorted(words)])


def _is_turned(one: Sequence[str], two: Sequence[str]) -> bool:
    """Say whether `two` is `one` with its beginning moved to its end."""
    if len(one) != len(two) or not one or one[0] not in _OPENERS or "." in one:
        return False
    # The adverbial ends where the other text begins, once.
    starts = [at for at, word in enumerate(one) if word == two[0]]
    return len(starts) == 1 and (*one[starts[0] :], *one[: starts[0]]) == tuple(two)


@lru_cache(maxsize=1024)
def _canonical(text: str) -> tuple[Language, tuple[str, ...]]:
    found = tokens(text)
    spoken = language(found)
    words = vocabulary(spoken)
    found = _without_opening(found, words)
    canonical: list[str] = []
    at = 0
    while at < len(found):
        step = moment(found, at, words, spoken) or quantity(found, at, words, None)
        if step is None:
            canonical += _plain(found, at, words)
            at += 1
            continue
        canonical += [_value(found[at : at + step.used], item.key) for item in step.items]
        at += step.used
    while canonical and canonical[-1] in _FINAL:
        canonical.pop()
    return spoken, tuple(canonical)


_FINAL = frozenset(". ! … ; : ,".split())
_LONGEST_SYMBOL = 3
_DROPPED = frozenset({",", "(", ")", "[", "]"})


def _value(found: Sequence[Token], item_key: str) -> str:
    """Return the key of a value; a weekday keeps its number: one Friday is not all of them."""
    is_weekday = item_key.startswith("weekday:")
    return f"{item_key} {found[0].low}" if is_weekday else item_key


def _plain(found: Sequence[Token], at: int, words: Vocabulary) -> list[str]:
    token = found[at]
    if token.shape is Shape.BREAK:
        return [] if token.text in _DROPPED else ["." if token.text in ";:!\n" else token.text]
    if token.shape is not Shape.WORD:
        return [token.text]
    is_article = words.has("articles", token.low) and (token.is_first or token.text == token.low)
    follows = found[at + 1].shape is not Shape.BREAK if at + 1 < len(found) else False
    if is_article and follows:
        return []
    if at and found[at - 1].shape is Shape.NUMBER and len(token.text) <= _LONGEST_SYMBOL:
        # Perhaps the symbol of a unit that is not listed, and case tells those apart.
        return [token.text]
    return [_variants().get(token.low, token.low)]


def _without_opening(found: list[Token], words: Vocabulary) -> list[Token]:
    """Leave out "Decision:", "We decided to", "Please": what follows is the fact."""
    for phrase in words.openings:
        if tuple(token.low for token in found[: len(phrase)]) == phrase:
            rest = found[len(phrase) :]
            while rest and rest[0].text in {":", ",", "-"}:
                rest = rest[1:]
            return rest or found
    return found


@cache
def _variants() -> Mapping[str, str]:
    return {word: group for group, words in groups("variants").items() for word in words}
