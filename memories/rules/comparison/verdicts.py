"""What is compared, and what the comparison answers."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Statement:
    """One memory as the rules see it."""

    text: str
    kind: str = "decision"
    path: str = ""


class Relation(StrEnum):
    """How two statements stand to each other."""

    SAME = "same"
    CONFLICT = "conflict"
    RELATED = "related"
    UNRELATED = "unrelated"


class Aspect(StrEnum):
    """What a reason is about: first what may differ, then what may be shared."""

    NUMBER = "number"
    UNIT = "unit"
    BOUND = "bound"
    DATE = "date"
    TIME = "time"
    VERSION = "version"
    NAME = "name"
    OPTION = "option"
    NEGATION = "negation"
    QUANTIFIER = "quantifier"
    MODALITY = "modality"
    OPPOSITE = "opposite"
    ALTERNATIVE = "alternative"
    CHANGE = "change"
    ORDER = "order"
    WORD = "word"
    SHARED = "shared words"
    SUBJECT = "same subject"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that the verdict rests on: what the first text says and what the second says.

    A side that says nothing about it is empty; for what is shared both sides are equal.
    """

    aspect: Aspect
    first: str = ""
    second: str = ""

    def turned(self) -> "Reason":
        return Reason(self.aspect, self.second, self.first)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The relation with its reasons.

    `is_certain` is set only for SAME: both texts state the fact in the same words, so that the
    second may refresh the first without anybody being asked. `shared` is the share (0 to 1) of
    the shorter text's words that the other one has too.
    """

    relation: Relation
    reasons: tuple[Reason, ...] = ()
    is_certain: bool = False
    shared: float = 0.0
