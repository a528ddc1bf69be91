"""Ask a language model about pairs that the rules leave open; off unless an operator wants it.

It only ever adds questions for the person: it answers none, changes no memory, and nothing waits
for it. The worst that a memory which tries to command it can reach is one wrong question.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from redis.exceptions import RedisError

from brain.lib.errors import DomainError
from memories.judges.chat import (
    QUESTION_MAX,
    ChatJudge,
    JudgeError,
    Judgement,
    JudgeUnavailableError,
    Opinion,
)
from memories.judges.choices import judge_options
from memories.judges.options import Options
from memories.models import Kind, Memory, Question
from memories.queries.uncertain import Uncertain, uncertain_pairs
from memories.rules.comparison.verdicts import Statement
from memories.services.asking import ask
from memories.services.cleaning import Cleaner
from memories.services.comparing import pair_model
from memories.services.locking import held_at_once
from spaces.isolation import inside
from spaces.models import Space

logger = logging.getLogger(__name__)

BATCH = 10
TWO_DAYS = 2 * 24 * 3600
_QUESTIONS = {Opinion.SAME: Question.REPEATED, Opinion.CONFLICT: Question.DISAGREEMENT}

Judge = Callable[[Statement, Statement], Judgement]


@dataclass(frozen=True, slots=True)
class Judged:
    """How many memories were gone through, how many questions are new, and whether more wait."""

    memories: int
    asked: int
    has_more: bool


def judge_recent(space: Space, *, at_most: int = BATCH) -> Judged:
    """Put the open pairs of memories that were compared to the judge, newest first.

    A judge that does not answer, and a day's budget that is spent, leave the rest for later;
    an answer that cannot be read counts as none.
    """
    chosen = judge_options()
    if not chosen.is_on:
        return Judged(0, 0, has_more=False)
    with inside(space):
        waiting = list(_waiting(space)[: at_most + 1])
    chat = ChatJudge(chosen)
    done = asked = 0
    try:
        for memory in waiting[:at_most]:
            new = _judge(space, memory, chat.judge, chosen)
            if new is None:
                break
            done, asked = done + 1, asked + new
    finally:
        chat.close()
    return Judged(done, asked, has_more=done == at_most and len(waiting) > at_most)


def _waiting(space: Space) -> QuerySet[Memory]:
    fresh = Q(judged_version=None) | ~Q(judged_version=F("version"))
    compared = Memory.objects.active().filter(fresh, space=space, compared_version=F("version"))
    return compared.exclude(kind=Kind.CHECKPOINT).order_by("-updated_at", "-pk")


def _judge(space: Space, memory: Memory, judge: Judge, chosen: Options) -> int | None:
    """Go through one memory; None when the judge or the budget stopped it."""
    now = timezone.now()
    with inside(space):
        is_live = memory.is_live(now=now)
        pairs = uncertain_pairs(memory, model_key=pair_model().key, now=now) if is_live else ()
    asked = 0
    for pair in pairs:
        if not _may_spend(chosen, now=now):
            return None
        try:
            said = judge(_statement(pair.first), _statement(pair.second))
        except JudgeUnavailableError as error:
            logger.warning("Pairs wait for the judge: %s", error)
            return None
        except JudgeError as error:
            logger.warning("A pair was left open: %s", error)
            continue
        asked += _propose(space, pair, said)
    with inside(space):
        Memory.objects.filter(pk=memory.pk, version=memory.version).update(
            judged_version=memory.version
        )
    return asked


def _propose(space: Space, pair: Uncertain, said: Judgement) -> bool:
    """Ask the person, if both texts are still what was judged and the rules leave room for it."""
    allowed = {Opinion.SAME: pair.may_be_same, Opinion.CONFLICT: pair.may_conflict}
    if not allowed.get(said.relation, False):
        return False
    evidence: dict[str, object] = {"reasons": [], "judged": _wording(space, said.question)}
    with inside(space):
        held = held_at_once(space, {pair.first.pk, pair.second.pk})
        for each in (pair.first, pair.second):
            now = held.get(each.pk)
            if now is None or (now.version, now.state) != (each.version, each.state):
                return False
        return ask(_QUESTIONS[said.relation], pair.first, other=pair.second, evidence=evidence)


def _wording(space: Space, question: str) -> str:
    """Return the judge's question as it may be stored; nothing when it may not."""
    try:
        text = Cleaner(space).text(" ".join(question.split()), limit=QUESTION_MAX, what="It")
    except DomainError:
        return ""
    return text


def _may_spend(chosen: Options, *, now: datetime) -> bool:
    """Count one pair; without Valkey nobody can count, so nothing is spent."""
    key = f"judge:{now:%Y-%m-%d}"
    try:
        cache.add(key, 0, timeout=TWO_DAYS)
        return cache.incr(key) <= chosen.daily
    except (RedisError, ValueError) as error:
        logger.warning("Pairs wait for the judge: %s", type(error).__name__)
        return False


def _statement(memory: Memory) -> Statement:
    return Statement(memory.content, kind=memory.kind, path=memory.path)
