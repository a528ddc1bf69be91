"""Pairs that the rules leave open: about the same thing, and neither the same nor against it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memories.models import PAIRS, Memory, ReviewItem
from memories.queries.alike import Alike, alike
from memories.queries.verdicts import verdict_on
from memories.rules.authorship import RULE_KINDS
from memories.rules.comparison.verdicts import Aspect, Relation, Verdict

# A memory brings few pairs: each costs a request.
AT_MOST = 2
NEAR = 0.6
SHARED = 0.5
# With one of these apart no judge makes two facts the same one.
_HARD = {
    Aspect.NUMBER,
    Aspect.UNIT,
    Aspect.BOUND,
    Aspect.DATE,
    Aspect.TIME,
    Aspect.VERSION,
    Aspect.NAME,
    Aspect.OPTION,
    Aspect.NEGATION,
    Aspect.QUANTIFIER,
}


@dataclass(frozen=True, slots=True)
class Uncertain:
    """A pair, the earlier one first, and what may be proposed about it."""

    first: Memory
    second: Memory
    may_be_same: bool
    may_conflict: bool


def uncertain_pairs(memory: Memory, *, model_key: str, now: datetime) -> Sequence[Uncertain]:
    """Return the nearest pairs of `memory` with what is older, unless they were asked about.

    Call it inside the space.
    """
    near = alike(memory, model_key=model_key, now=now)
    older = [each for each in near if _age(each.memory) < _age(memory)]
    asked = _asked(memory)
    pairs = [
        _pair(each.memory, memory, verdict)
        for each in older
        if each.memory.pk not in asked
        and _is_uncertain(each, verdict := verdict_on(each.memory, memory, cosine=each.cosine))
    ]
    return [pair for pair in pairs if pair.may_be_same or pair.may_conflict][:AT_MOST]


def _pair(first: Memory, second: Memory, verdict: Verdict) -> Uncertain:
    differs = any(reason.aspect in _HARD for reason in verdict.reasons)
    are_rules = {first.kind, second.kind} <= RULE_KINDS
    return Uncertain(
        first,
        second,
        may_be_same=first.kind == second.kind and not differs,
        may_conflict=are_rules,
    )


def _is_uncertain(each: Alike, verdict: Verdict) -> bool:
    is_near = each.cosine is not None and each.cosine >= NEAR
    return verdict.relation is Relation.RELATED and (is_near or verdict.shared >= SHARED)


def _asked(memory: Memory) -> set[UUID]:
    items = ReviewItem.objects.filter(space_id=memory.space_id, question__in=PAIRS)
    pairs = items.about([memory.pk]).values_list("memory_id", "other_id")
    return {each for pair in pairs for each in pair} - {memory.pk}


def _age(memory: Memory) -> tuple[datetime, object]:
    return memory.updated_at, memory.pk
