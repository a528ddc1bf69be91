"""How much text an answer may carry, whatever was asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

ANSWER_CHARACTERS = 12_000


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text as it fits into the answer, and whether something was left out of it."""

    text: str
    is_cut: bool


def fit(texts: Sequence[str], *, budget: int = ANSWER_CHARACTERS) -> list[Excerpt]:
    """Cut the longest texts, and only those, so that all of them fit into `budget` characters.

    Every text gets the same share at least; what short ones leave over goes to the long ones.
    """
    share = _share(sorted(len(text) for text in texts), budget)
    return [
        Excerpt(text, is_cut=False)
        if len(text) <= share
        else Excerpt(f"{text[: share - 1].rstrip()}…", is_cut=True)
        for text in texts
    ]


def _share(lengths: list[int], budget: int) -> int:
    left = budget
    for position, length in enumerate(lengths):
        share = left // (len(lengths) - position)
        if length > share:
            return max(share, 2)
        left -= length
    return max(lengths, default=2) or 2
