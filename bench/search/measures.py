"""How good an order is (Manning, Raghavan and Schütze, "Introduction to IR", 2008, chapter 8)."""

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over questions; each between 0 and 1."""

    recall_5: float
    recall_10: float
    recall_20: float
    hit_5: float
    mrr: float
    ndcg_10: float


def quality(order: Sequence[int], relevant: AbstractSet[int]) -> Quality:
    def recall(depth: int) -> float:
        return len(relevant & set(order[:depth])) / len(relevant)

    places = [place for place, text in enumerate(order) if text in relevant]
    gain = sum(1 / math.log2(place + 2) for place in places if place < 10)  # noqa: PLR2004
    ideal = sum(1 / math.log2(place + 2) for place in range(min(len(relevant), 10)))
    return Quality(
        recall_5=recall(5),
        recall_10=recall(10),
        recall_20=recall(20),
        hit_5=float(bool(relevant & set(order[:5]))),
        mrr=1 / (places[0] + 1) if places else 0.0,
        ndcg_10=gain / ideal,
    )


def mean(each: Sequence[Quality]) -> Quality:
    return Quality(
        *(sum(getattr(one, field.name) for one in each) / len(each) for field in fields(Quality))
    )
