"""Answers about two memories: one holds, both hold, or they become one."""

from brain.lib.errors import DomainError
from memories.models import PAIRS, Answer, Memory, MemorySource, Question, State, Verb
from memories.rules.facts import sha256
from memories.services.activity import record
from memories.services.affirming import confirm_memory
from memories.services.cleaning import Cleaner
from memories.services.resolutions.cases import Case, Reply, settling
from memories.services.revising import Revision, revise_memory


class GoneError(DomainError):
    code = "no_longer_a_pair"
    hint = "There is nothing left to decide."


def keep_one(reply: Reply, *, answer: Answer) -> None:
    """Keep the first or the second one; the other becomes its history, as declined.

    What was declined does not come back silently when an agent says it again.
    """
    with settling(reply, answer, about=[Question.DISAGREEMENT]) as case:
        first, second = _holding(case)
        kept, lost = (first, second) if answer == Answer.KEPT_FIRST else (second, first)
        lost.is_forgotten_by_person = True
        _supersede(case, lost, by=kept)
        confirm_memory(space=reply.space, actor=reply.actor, memory_id=kept.pk)


def keep_both(reply: Reply, *, answer: Answer) -> None:
    """Say that there is nothing to decide; not asked again unless one of the texts changes."""
    with settling(reply, answer, about=PAIRS) as case:
        for memory in _holding(case):
            record(memory, reply.actor, Verb.KEPT)


def merge(reply: Reply, *, content: str = "", keep_second: bool = False) -> None:
    """Let one memory take the other's place, with the sources and confirmations of both.

    The one that is kept says `content`, when that is given; both histories stay readable.
    """
    with settling(reply, Answer.MERGED, about=[Question.REPEATED]) as case:
        _join(case, content, keep_second=keep_second)


def rewrite(reply: Reply, *, content: str) -> None:
    """Say in one new text what holds; both earlier ones become history."""
    content = Cleaner(reply.space).content(content)
    with settling(reply, Answer.REWRITTEN, about=PAIRS) as case:
        _join(case, content, keep_second=False)


def _join(case: Case, content: str, *, keep_second: bool) -> None:
    first, second = _holding(case)
    kept, lost = (second, first) if keep_second else (first, second)
    actor = case.reply.actor
    # First, so that the new text may be that of the other one.
    _supersede(case, lost, by=kept)
    _take_sources(case, kept, lost)
    _take_confirmations(case, kept, lost)
    record(kept, actor, Verb.MERGED)
    if content.strip() and content != kept.content:
        change = Revision(content=content)
        revise_memory(space=case.reply.space, actor=actor, memory_id=kept.pk, revision=change)


def _holding(case: Case) -> tuple[Memory, Memory]:
    first, second = case.pair
    if not (first.is_live(now=case.now) and second.is_live(now=case.now)):
        raise GoneError("One of the two no longer holds.")
    return first, second


def _supersede(case: Case, lost: Memory, *, by: Memory) -> None:
    lost.state, lost.state_at, lost.superseded_by = State.SUPERSEDED, case.now, by
    lost.save(
        update_fields=["state", "state_at", "superseded_by", "is_forgotten_by_person"],
    )
    record(lost, case.reply.actor, Verb.SUPERSEDED)


def _take_sources(case: Case, kept: Memory, lost: Memory) -> None:
    """Add every source of the other one that the kept one does not name yet."""
    texts = {lost.source: lost.client_name} if lost.source else {}
    texts |= {each.text: each.client_name for each in lost.more_sources.order_by("added_at")}
    texts.pop(kept.source, None)
    cleaner = Cleaner(case.reply.space)
    MemorySource.objects.bulk_create(
        [
            MemorySource(
                space=case.reply.space,
                memory=kept,
                text=text,
                text_sha256=sha256(text),
                added_by=case.reply.actor.user,
                client_name=client_name,
                added_at=case.now,
            )
            for text, client_name in ((cleaner.again(text), app) for text, app in texts.items())
        ],
        ignore_conflicts=True,
    )


def _take_confirmations(case: Case, kept: Memory, lost: Memory) -> None:
    # What was said of either was said of both; the later date of two that lapse holds.
    latest = max((each for each in (kept.expires_at, lost.expires_at) if each), default=None)
    kept.expires_at = latest if kept.expires_at else None
    kept.confirmations += lost.confirmations
    kept.confirmed_at = max(kept.confirmed_at, lost.confirmed_at)
    kept.person_confirmed_at = case.now
    kept.save(update_fields=["expires_at", "confirmations", "confirmed_at", "person_confirmed_at"])
