"""What follows from comparing one memory: read it all first, then write it in one short go."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memories.models import Memory, MemoryLink, Question, Reason, ReviewItem
from memories.queries.alike import Alike, alike
from memories.queries.mentioning import mentioning
from memories.queries.verdicts import verdict_on
from memories.rules.comparison.conflicts import FAR
from memories.rules.comparison.verdicts import Relation, Verdict
from memories.rules.salience import WORTH_READING, shared_words
from memories.services.asking import ask, withdraw
from memories.services.linking import link_mention, link_similar, unlink_similar
from memories.services.locking import held_at_once
from memories.services.noticing import notice_about

# A memory stands in few open questions: more would train people to look away.
AT_MOST = 3
# What contradicts this many others is one of a series (invoice 77, invoice 78, ...).
SERIES = 5
LINKS = 3
_QUESTIONS = {Relation.CONFLICT: Question.DISAGREEMENT, Relation.SAME: Question.REPEATED}

# Without the cosine that proposed it, a repeat in other words is only known to be related.
_STILL = {
    Question.DISAGREEMENT: {Relation.CONFLICT},
    Question.REPEATED: {Relation.SAME, Relation.RELATED},
}


@dataclass(frozen=True, slots=True)
class Model:
    """Whose cosines find what is near; the rules use those of a model that they know only."""

    key: str = ""
    is_known: bool = False
    linked_from: float | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """What to ask, what to take back, and what to link."""

    proposals: Sequence[tuple[Memory, Verdict]] = ()
    answered: Sequence[ReviewItem] = ()
    similar: Mapping[UUID, float] = field(default_factory=dict)
    no_longer_similar: Sequence[UUID] = ()
    mentioned_by: Sequence[UUID] = ()

    @property
    def others(self) -> set[UUID]:
        """Return the other memories that must not change while this is written."""
        asked = {other.pk for other, _ in self.proposals}
        return {*asked, *self.no_longer_similar, *self.mentioned_by}


def findings(memory: Memory, model: Model, *, now: datetime) -> Findings:
    """Compare `memory` with what is near it; writes nothing. Call it inside its space."""
    if not memory.is_live(now=now):
        return Findings(answered=_answered(memory))
    near = alike(memory, model_key=model.key, now=now)
    similar = _similar(near, model)
    return Findings(
        proposals=_proposals(memory, near, model),
        answered=_answered(memory),
        similar=similar,
        no_longer_similar=_no_longer_similar(memory, similar),
        mentioned_by=mentioning(memory),
    )


def write_down(memory: Memory, found: Findings) -> int | None:
    """Ask and link; return how many questions are new.

    None, and nothing is written, when one of the memories is being changed or was changed
    since it was read.
    """
    held = held_at_once(memory.space, {memory.pk, *found.others})
    read = [memory, *(other for other, _ in found.proposals)]
    if not held.keys() >= {memory.pk, *found.others} or any(
        (held[each.pk].version, held[each.pk].state) != (each.version, each.state) for each in read
    ):
        return None
    for item in found.answered:
        assert item.other is not None
        withdraw(Question(item.question), item.memory, item.other)
    link_similar(memory, found.similar)
    unlink_similar(found.no_longer_similar, memory)
    link_mention(found.mentioned_by, memory)
    asked = notice_about(memory)
    asked += sum(_ask(memory, other, verdict) for other, verdict in found.proposals)
    Memory.objects.filter(pk=memory.pk).update(compared_version=memory.version)
    return asked


def _proposals(memory: Memory, near: Sequence[Alike], model: Model) -> list[tuple[Memory, Verdict]]:
    """Return the few pairs that a person should see."""
    verdicts = [
        (each.memory, verdict_on(memory, each.memory, cosine=_known(each, model)))
        for each in near
        if _is_worth_reading(memory, each, model)
    ]
    worth = [pair for pair in verdicts if pair[1].relation in _QUESTIONS]
    if not worth:
        return []
    waiting = _waiting(memory, [other for other, _ in worth])
    against = [pair for pair in worth if pair[1].relation is Relation.CONFLICT]
    if len(against) >= SERIES:
        # One question says what there is to say about a series.
        is_asked = any(waiting[other.pk] for other, _ in against)
        too_many = against if is_asked else against[1:]
        worth = [pair for pair in worth if pair not in too_many]
    room = max(0, AT_MOST - waiting[memory.pk])
    return [pair for pair in worth if waiting[pair[0].pk] < AT_MOST][:room]


def _is_worth_reading(memory: Memory, each: Alike, model: Model) -> bool:
    """Leave out, before texts are read word for word, what the rules would call unrelated."""
    cosine = _known(each, model)
    if cosine is None:
        return shared_words(memory.content, each.memory.content) >= WORTH_READING
    return cosine >= FAR


def _known(each: Alike, model: Model) -> float | None:
    return each.cosine if model.is_known else None


def _waiting(memory: Memory, others: Iterable[Memory]) -> Counter[UUID]:
    """Count in how many open questions about pairs each of the memories stands."""
    ids = [memory.pk, *(other.pk for other in others)]
    items = ReviewItem.objects.filter(
        space_id=memory.space_id, question__in=_QUESTIONS.values()
    ).about(ids)
    pairs = items.unsettled().values_list("memory_id", "other_id")
    return Counter(each for pair in pairs for each in pair)


def _answered(memory: Memory) -> list[ReviewItem]:
    """Return open questions about pairs that neither repeat nor contradict each other now."""
    items = ReviewItem.objects.filter(
        space_id=memory.space_id, question__in=_QUESTIONS.values(), other__isnull=False
    )
    return [
        item
        for item in items.about([memory.pk]).unsettled().select_related("memory", "other")
        if item.other is not None
        and not _was_judged(item)
        and verdict_on(item.memory, item.other).relation not in _STILL[Question(item.question)]
    ]


def _was_judged(item: ReviewItem) -> bool:
    """Say whether a judge saw these very texts: the rules left the pair open then already."""
    assert item.other is not None
    versions = item.memory.version, item.other.version
    return "judged" in item.evidence and versions == (item.memory_version, item.other_version)


def _similar(near: Sequence[Alike], model: Model) -> dict[UUID, float]:
    if model.linked_from is None:
        return {}
    close = [
        (each.cosine, each.memory.pk)
        for each in near
        if each.cosine is not None and each.cosine >= model.linked_from
    ]
    closest = sorted(close, key=lambda pair: -pair[0])[:LINKS]
    return {pk: min(cosine, 1.0) for cosine, pk in closest}


def _no_longer_similar(memory: Memory, similar: Mapping[UUID, float]) -> list[UUID]:
    """Return who is linked to an earlier text of `memory` and is not among its nearest now."""
    links = MemoryLink.objects.filter(
        space_id=memory.space_id, second=memory, reason=Reason.SIMILAR
    )
    if memory.compared_version in {None, memory.version}:
        return []
    return list(links.exclude(first__in=similar).values_list("first", flat=True))


def _ask(memory: Memory, other: Memory, verdict: Verdict) -> bool:
    reasons = list(dict.fromkeys(reason.aspect.value for reason in verdict.reasons))
    evidence = {"reasons": reasons}
    return ask(_QUESTIONS[verdict.relation], memory, other=other, evidence=evidence)
