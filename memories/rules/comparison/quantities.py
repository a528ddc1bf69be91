"""Numbers with what they count: units, money, versions, labels, bounds and ranges."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from memories.rules.comparison.items import Item, Quantity, Read, Sort
from memories.rules.comparison.numerals import Numeral, numeral
from memories.rules.comparison.tokens import Shape, Token
from memories.rules.comparison.vocabulary import Role, Unit, Vocabulary, units

_CURRENCIES = frozenset({"$", "€", "£", "r$", "us$"})
_BEFORE_A_UNIT = frozenset({"de", "of", "business", "working", "calendar", "full"})
_SYMBOL = 2
_DASHES = frozenset({"-", "\u2013", "\u2014"})


@dataclass(frozen=True, slots=True)
class _Counted:
    quantity: Quantity
    written: str
    used: int


def quantity(
    tokens: Sequence[Token], at: int, words: Vocabulary, bound: Role | None
) -> Read | None:
    """Read a version, a range or a number with its unit; `bound` was said before it."""
    if tokens[at].shape is Shape.VERSION:
        text = tokens[at].text
        return Read((Item(Sort.VERSION, f"version:{text.lower().lstrip('v')}", text),), 1)
    if found := _range(tokens, at, words):
        return found
    counted = _counted(tokens, at, words)
    if counted is None:
        return None
    return Read((_item(tokens, at, words, counted, bound=bound),), counted.used)


def _range(tokens: Sequence[Token], at: int, words: Vocabulary) -> Read | None:
    """Read "between 4 and 8", "from 4 to 8" or "4-8" as two bounds."""
    start = at + 1 if words.has("between", tokens[at].low) else at
    low = _counted(tokens, start, words) if start < len(tokens) else None
    if low is None:
        return None
    middle = start + low.used
    if middle >= len(tokens) - 1:
        return None
    is_joined = (
        words.has("between_and", tokens[middle].low)
        if start > at
        else tokens[middle].text in _DASHES
    )
    high = _counted(tokens, middle + 1, words) if is_joined else None
    if high is None or high.quantity.value <= low.quantity.value:
        return None
    unit = high.quantity.unit
    first = replace(low.quantity, bound=Role.AT_LEAST, unit=low.quantity.unit or unit)
    second = replace(high.quantity, bound=Role.AT_MOST)
    items = (_plain(first, low.written), _plain(second, high.written))
    return Read(items, middle + 1 + high.used - at)


def _counted(tokens: Sequence[Token], at: int, words: Vocabulary) -> _Counted | None:
    """Read a number with the currency before it or the unit behind it."""
    start = at + 1 if tokens[at].low in _CURRENCIES else at
    number = numeral(tokens, start, words) if start < len(tokens) else None
    is_soft = number is None and words.has("ones", tokens[at].low)
    if is_soft:
        number = Numeral(Decimal(1), 1, is_literal=False)
    if number is None:
        return None
    unit, used = (None, 0) if number.is_ordinal else _unit(tokens, start + number.used)
    if is_soft and (unit is None or unit.dimension != "time" or _is_rate(tokens, at)):
        return None
    end = start + number.used + used
    if start > at:
        unit = unit or units().get(tokens[at].text.upper()) or units().get(tokens[at].text)
    written = " ".join(token.text for token in tokens[at:end])
    return _Counted(Quantity(number.value, unit, is_soft=is_soft), written, end - at)


def _unit(tokens: Sequence[Token], at: int) -> tuple[Unit | None, int]:
    # "Um milhão de reais", "two business days".
    skipped = int(at < len(tokens) and tokens[at].low in _BEFORE_A_UNIT)
    found = tokens[at + skipped : at + skipped + 2]
    pair = " ".join(token.low for token in found)
    if len(found) > 1 and pair in units():
        return units()[pair], skipped + 2
    unit = _one_unit(found[0]) if found else None
    return (unit, skipped + 1) if unit is not None else (None, 0)


def _one_unit(token: Token) -> Unit | None:
    unit = units().get(token.text)
    # The case of a symbol tells units apart; that of a word does not.
    return units().get(token.low) if unit is None and len(token.low) > _SYMBOL else unit


def _is_rate(tokens: Sequence[Token], at: int) -> bool:
    """Say whether "a day" means each day: "twice a day", "two hours a day"."""
    before = tokens[at - 1] if at else None
    return before is not None and before.low not in _BEFORE_A_DURATION


_BEFORE_A_DURATION = frozenset(
    "for in within under after during every by of last lasts takes takes is least most than por "
    "durante em até dentro de há dura leva vale é após mínimo máximo".split()
)


def _item(
    tokens: Sequence[Token], at: int, words: Vocabulary, counted: _Counted, *, bound: Role | None
) -> Item:
    before = tokens[at - 1] if at else None
    is_plain = counted.quantity.unit is None and tokens[at].shape is Shape.NUMBER
    if is_plain and before is not None and before.shape is Shape.WORD:
        if "." in counted.written or "vers" in before.low:
            return Item(Sort.VERSION, f"version:{counted.written}", counted.written)
        if words.has("labels", before.low):
            key = f"label:{before.low} {counted.written}"
            return Item(Sort.NUMBER, key, counted.written, is_label=True)
    return _plain(replace(counted.quantity, bound=bound), counted.written)


def _plain(found: Quantity, written: str) -> Item:
    unit = f" {found.unit.name}" if found.unit else ""
    return Item(Sort.NUMBER, f"number:{found.value}{unit}", written, quantity=found)
