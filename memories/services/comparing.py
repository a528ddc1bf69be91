"""Find what was said twice and what disagrees, and put it to the person."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from memories.embedders.providers import USE
from memories.embedders.registry import pair_embedder
from memories.models import Kind, Memory, MemoryVector, Question, ReviewItem
from memories.queries.alike import Alike, alike
from memories.rules.comparison.comparing import compare
from memories.rules.comparison.verdicts import Relation, Statement, Verdict
from memories.services.asking import ask, withdraw
from spaces.isolation import inside
from spaces.models import Space

# A memory asks about its nearest few only: more would train people to look away.
AT_MOST = 3
BATCH = 50
_QUESTIONS = {Relation.CONFLICT: Question.DISAGREEMENT, Relation.SAME: Question.REPEATED}

# Without the cosine that proposed it, a repeat in other words is only known to be related.
_STILL = {
    Question.DISAGREEMENT: {Relation.CONFLICT},
    Question.REPEATED: {Relation.SAME, Relation.RELATED},
}


@dataclass(frozen=True, slots=True)
class Compared:
    """How many memories were compared, how many questions are new, and whether more wait."""

    memories: int
    asked: int
    has_more: bool


def compare_recent(space: Space, *, at_most: int = BATCH) -> Compared:
    """Compare memories whose present version was not compared yet with the rest of the space.

    Each in a transaction of its own that only reads the others, so that no save waits for it.
    One without its vector waits for the job that makes it, unless there is no model for pairs.
    """
    if not waits_for_comparison(space):
        return Compared(0, 0, has_more=False)
    model = pair_embedder()
    # What a cosine means to the rules was measured with this model only.
    model_key = model.pair_key if model and model.name == USE else ""
    with inside(space):
        waiting = _waiting(space, model_key)[: at_most + 1]
        ids = list(waiting.values_list("pk", "version"))
    asked = sum(_compare(space, each, version, model_key) for each, version in ids[:at_most])
    return Compared(len(ids[:at_most]), asked, has_more=len(ids) > at_most)


def waits_for_comparison(space: Space) -> bool:
    """Say whether a memory of the space was not compared yet in its present version."""
    with inside(space):
        return _uncompared(space).exists()


def _uncompared(space: Space) -> QuerySet[Memory]:
    fresh = Q(compared_version=None) | ~Q(compared_version=F("version"))
    return Memory.objects.active().filter(fresh, space=space).exclude(kind=Kind.CHECKPOINT)


def _waiting(space: Space, model_key: str) -> QuerySet[Memory]:
    waiting = _uncompared(space).order_by("updated_at")
    if not model_key:
        return waiting
    ready = MemoryVector.objects.filter(space=space, model_key=model_key)
    return waiting.filter(pk__in=ready.values("memory"))


def _compare(space: Space, memory_id: UUID, version: int, model_key: str) -> int:
    now = timezone.now()
    with inside(space):
        memory = Memory.objects.filter(space=space, pk=memory_id, version=version).first()
        if memory is None:
            return 0
        asked = 0
        _take_back(memory)
        if memory.is_live(now=now):
            near = alike(memory, model_key=model_key, now=now)
            asked = sum(_ask(memory, other, verdict) for other, verdict in _told(memory, near))
        Memory.objects.filter(space=space, pk=memory.pk, version=version).update(
            compared_version=version
        )
    return asked


def _told(memory: Memory, near: Iterable[Alike]) -> list[tuple[Memory, Verdict]]:
    """Return the few pairs that a person should see."""
    verdicts = ((each.memory, _verdict(memory, each.memory, each.cosine)) for each in near)
    worth = [(other, verdict) for other, verdict in verdicts if verdict.relation in _QUESTIONS]
    return worth[:AT_MOST]


def _take_back(memory: Memory) -> None:
    """Withdraw open questions about pairs that neither repeat nor contradict each other now."""
    items = ReviewItem.objects.filter(space=memory.space, question__in=_QUESTIONS.values())
    for item in items.about([memory.pk]).unsettled().select_related("memory", "other"):
        question = Question(item.question)
        if item.other is None:
            continue
        if _verdict(item.memory, item.other, None).relation not in _STILL[question]:
            withdraw(question, item.memory, item.other)


def _verdict(first: Memory, second: Memory, cosine: float | None) -> Verdict:
    return compare(_statement(first), _statement(second), cosine=cosine)


def _ask(memory: Memory, other: Memory, verdict: Verdict) -> bool:
    reasons = list(dict.fromkeys(reason.aspect.value for reason in verdict.reasons))
    evidence = {"reasons": reasons}
    return ask(_QUESTIONS[verdict.relation], memory, other=other, evidence=evidence)


def _statement(memory: Memory) -> Statement:
    return Statement(memory.content, kind=memory.kind, path=memory.path)
