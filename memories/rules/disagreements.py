"""When two rules about the same thing cannot both hold, and how near two texts are in words."""

from memories.rules.comparison.comparing import compare
from memories.rules.comparison.matching import match
from memories.rules.comparison.reading import read
from memories.rules.comparison.verdicts import Relation, Statement


def disagree(
    first: str,
    second: str,
    *,
    kinds: tuple[str, str],
    paths: tuple[str, str] = ("", ""),
    cosine: float | None = None,
) -> bool:
    """Say whether two decisions or preferences seem to contradict each other."""
    one, two = (
        Statement(text, kind=kind, path=path)
        for text, kind, path in zip((first, second), kinds, paths, strict=True)
    )
    return compare(one, two, cosine=cosine).relation is Relation.CONFLICT


def overlap(first: str, second: str) -> float:
    """Return the share of the shorter text's words (0 to 1) that the other one has too."""
    one, two = sorted((first, second))
    return match(read(one), read(two)).contained
