"""What a reading is made of: values, names, words, and words that act on others."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from memories.rules.comparison.vocabulary import Role, Unit


class Sort(StrEnum):
    """What an item is."""

    WORD = "word"
    NAME = "name"
    OPTION = "option"
    NUMBER = "number"
    VERSION = "version"
    DATE = "date"
    TIME = "time"
    ROLE = "role"
    LIGHT = "light"
    SIGN = "sign"
    BREAK = "break"


VALUES = frozenset({Sort.NUMBER, Sort.VERSION, Sort.DATE, Sort.TIME})
CONTENT = VALUES | {Sort.WORD, Sort.NAME, Sort.OPTION}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit; `is_soft` when it may be no more than an article (um, a)."""

    value: Decimal
    unit: Unit | None = None
    bound: Role | None = None
    is_soft: bool = False
    # What is counted, as the key of that word.
    of: str = ""

    @property
    def size(self) -> Decimal:
        """Return the value in the base unit of its dimension."""
        return self.value * self.unit.factor if self.unit else self.value

    @property
    def dimension(self) -> str:
        return self.unit.dimension if self.unit else ""


@dataclass(frozen=True, slots=True)
class Item:
    """One item: equal keys mean the same thing, `plain` is how it is spelled."""

    sort: Sort
    key: str
    text: str
    plain: str = ""
    role: Role | None = None
    quantity: Quantity | None = None
    is_weak: bool = False
    # Before the verb of its clause.
    is_subject: bool = False
    # It tells which one is meant: the 14 of "sprint 14".
    is_label: bool = False
    # Capitalised at the beginning of a sentence, and no word that is known.
    may_be_name: bool = False
    # "An approval": one, where another text counts two.
    is_single: bool = False
    # +1 said, -1 denied, 0 denied twice.
    sign: int = 1
    clause: int = 0


@dataclass(frozen=True, slots=True)
class Read:
    """Items that a reader found and the number of tokens that they took."""

    items: tuple[Item, ...]
    used: int
