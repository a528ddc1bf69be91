"""How search orders what may answer: words and meaning weighed together.

The weighted sum of normalised scores beats reciprocal-rank fusion (Cormack et al., 2009) by two
to five points of recall on the sets in docs/benchmarks.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

MEANING = 0.6
# The second model reads across languages; inside English the first one alone orders better.
SECOND = 0.5
# Inside English, holding more of the question's words counts beyond what BM25 makes of it.
COVERAGE = 0.2
# A memory counts as close by its words when it holds this share of the query's information.
COVERED = 0.3
# How far above a model's threshold a cosine has to be for the highest score.
SURE = 0.09

Why = Literal["words", "meaning", "both"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may answer, weighed by every arm.

    `bm25` has no upper bound; `coverage` (0 to 1) is the share of the query's information (the
    sum of the inverse document frequencies of its words) that the memory holds; the cosines of
    the first and the second model are None where there is no vector.
    """

    memory_id: UUID
    updated_at: datetime
    bm25: float
    coverage: float
    cosine: float | None = None
    second: float | None = None


@dataclass(frozen=True, slots=True)
class Scale:
    """What the cosines of the active models mean, and what counts how much (0 to 1).

    `close` and `second_close` are the cosines from which a memory counts as an answer.
    """

    close: float | None = None
    second_close: float | None = None
    second_weight: float = 0.0
    coverage_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place; `score` (0 to 1) says how likely it is to be meant."""

    candidate: Candidate
    why: Why
    score: float
    is_close: bool


def ranked(candidates: Sequence[Candidate], *, scale: Scale) -> list[Ranked]:
    """Order the candidates, best first.

    Each arm is brought to 0 to 1 over the candidates: cosines between the least and the
    greatest, BM25 by the greatest. A memory without a vector is judged by its words alone.
    """
    first = _between([each.cosine for each in candidates])
    second = _between([each.second for each in candidates])
    most = max((each.bm25 for each in candidates), default=0.0)

    def fused(each: Candidate) -> float:
        words = each.bm25 / most if most else 0.0
        meaning = first(each.cosine)
        if meaning is None:
            return words
        other = second(each.second)
        if other is not None:
            meaning += scale.second_weight * (other - meaning)
        covered = scale.coverage_weight * each.coverage
        return MEANING * meaning + (1 - MEANING) * words + covered

    best_first = sorted(candidates, key=lambda each: (-fused(each), -each.updated_at.timestamp()))
    return [_ranked(each, scale) for each in best_first]


def _between(cosines: Sequence[float | None]) -> Callable[[float | None], float | None]:
    """Return the function that brings these cosines to 0 to 1."""
    known = [cosine for cosine in cosines if cosine is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)

    def place(cosine: float | None) -> float | None:
        return None if cosine is None or high <= low else (cosine - low) / (high - low)

    return place


def _ranked(candidate: Candidate, scale: Scale) -> Ranked:
    likeness = _likeness(candidate, scale)
    by_words = candidate.coverage >= COVERED
    by_meaning = likeness >= 0.5  # noqa: PLR2004  the middle of the scale is the threshold
    why: Why = "both" if by_words and by_meaning else "meaning" if by_meaning else "words"
    if candidate.bm25 == 0:
        why = "meaning"
    score = candidate.coverage
    if scale.close is not None and candidate.cosine is not None:
        score = max(likeness, candidate.coverage * (0.5 + likeness / 2))
    return Ranked(candidate, why, round(score, 3), by_words or by_meaning)


def _likeness(candidate: Candidate, scale: Scale) -> float:
    """Return 0.5 for a cosine at its model's threshold, 1 for one that is surely above it."""
    first = _above(candidate.cosine, scale.close)
    if not scale.second_weight:
        return first
    return max(first, _above(candidate.second, scale.second_close))


def _above(cosine: float | None, close: float | None) -> float:
    if cosine is None or close is None:
        return 0.0
    return min(1.0, max(0.0, 0.5 + (cosine - close) / (2 * SURE)))
