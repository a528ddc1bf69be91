"""Answers about one memory: renew, keep for good, make mine, give a source, let go."""

from django.utils.dateparse import parse_datetime

from brain.lib.errors import DomainError
from memories.models import Answer, Author, Kind, Memory, Operation, Question, State, Verb
from memories.services.activity import record
from memories.services.affirming import confirm_memory, restore_memory, restore_version
from memories.services.cleaning import RATIONALE_MAX, SOURCE_MAX, Cleaner
from memories.services.forgetting import forget_memory
from memories.services.resolutions.cases import Case, Reply, settling
from memories.services.revising import Revision, revise_memory
from memories.services.versions import stamp, write_version


class SourceError(DomainError):
    code = "no_source"
    hint = "Say who decided it, or where it can be read."


class CheckpointLapsesError(DomainError):
    code = "checkpoint_lapses"
    hint = "Renew it, or save what shall stay as a decision."


def renew(reply: Reply) -> None:
    """Say that it still holds: it gets its whole lifetime again."""
    with settling(reply, Answer.RENEWED, about=[Question.EXPIRED]) as case:
        _confirm(case)


def make_permanent(reply: Reply) -> None:
    """Turn an observation that lapsed into a decision of the person, which never expires.

    Only an observation has a date; what shall hold without one is something settled.
    """
    with settling(reply, Answer.MADE_PERMANENT, about=[Question.EXPIRED]) as case:
        if case.memory.kind == Kind.CHECKPOINT:
            raise CheckpointLapsesError("A checkpoint does not stay for good.")
        change = Revision(kind=Kind.DECISION)
        revise_memory(
            space=reply.space, actor=reply.actor, memory_id=case.memory.pk, revision=change
        )


def let_lapse(reply: Reply) -> None:
    """Leave it expired: it stays readable, and an agent that sees it again may say so."""
    with settling(reply, Answer.LET_LAPSE, about=[Question.EXPIRED]) as case:
        record(case.memory, reply.actor, Verb.LAPSED)


def confirm_as_mine(reply: Reply) -> None:
    """Take an agent's rule over as the person's own word, as a new version of the same text."""
    with settling(reply, Answer.CONFIRMED_AS_MINE, about=[Question.UNSOURCED]) as case:
        memory = case.memory
        memory.author = Author.USER
        memory.person_confirmed_at = memory.confirmed_at = case.now
        memory.confirmations += 1
        stamp(memory, reply.actor)
        _save_version(case, memory)
        record(memory, reply.actor, Verb.CONFIRMED)


def add_source(reply: Reply, *, source: str, rationale: str = "") -> None:
    """Say where an agent's rule comes from; it stays the agent's."""
    cleaner = Cleaner(reply.space)
    source = cleaner.text(source, limit=SOURCE_MAX, what="The source")
    rationale = cleaner.text(rationale, limit=RATIONALE_MAX, what="The rationale")
    if not source:
        raise SourceError("The source is empty.")
    with settling(reply, Answer.SOURCED, about=[Question.UNSOURCED]) as case:
        memory = case.memory
        memory.source = source
        memory.rationale = rationale or memory.rationale
        _save_version(case, memory)
        record(memory, reply.actor, Verb.REVISED)


def let_go(reply: Reply) -> None:
    """Forget a rule that nobody stands for, or a text that tries to command."""
    about = [Question.UNSOURCED, Question.INSTRUCTION]
    with settling(reply, Answer.LET_GO, about=about) as case:
        _forget(case)


def accept(reply: Reply) -> None:
    """Let an agent's change of the person's text stand."""
    with settling(reply, Answer.ACCEPTED, about=[Question.CHANGED_BY_AGENT]) as case:
        if case.memory.state == State.FORGOTTEN:
            _forget(case)
        elif case.memory.state == State.ACTIVE:
            _confirm(case)
        else:
            record(case.memory, reply.actor, Verb.KEPT)


def restore(reply: Reply) -> None:
    """Put back what the person had: the text, the date, or the memory as such."""
    with settling(reply, Answer.RESTORED, about=[Question.CHANGED_BY_AGENT]) as case:
        memory, evidence = case.memory, case.item.evidence
        number = int(evidence.get("version", memory.version))
        if number != memory.version:
            restore_version(
                space=reply.space, actor=reply.actor, memory_id=memory.pk, number=number
            )
        elif memory.state != State.ACTIVE:
            restore_memory(space=reply.space, actor=reply.actor, memory_id=memory.pk)
        if "expires_at" in evidence:
            _restore_date(case, str(evidence["expires_at"] or ""))


def let_in(reply: Reply) -> None:
    """Let hold what an agent learned again."""
    with settling(reply, Answer.LET_IN, about=[Question.RELEARNED]) as case:
        _confirm(case)


def decline(reply: Reply) -> None:
    """Forget it again; the person's forget goes on to hold."""
    with settling(reply, Answer.DECLINED, about=[Question.RELEARNED]) as case:
        _forget(case)


def keep(reply: Reply) -> None:
    """Say that there is nothing wrong with a text; not asked again unless it changes."""
    with settling(reply, Answer.KEPT, about=[Question.INSTRUCTION]) as case:
        record(case.memory, reply.actor, Verb.KEPT)


def _confirm(case: Case) -> None:
    confirm_memory(space=case.reply.space, actor=case.reply.actor, memory_id=case.memory.pk)


def _forget(case: Case) -> None:
    forget_memory(space=case.reply.space, actor=case.reply.actor, memory_id=case.memory.pk)


def _save_version(case: Case, memory: Memory) -> None:
    """Write the row in memory as its next version; the text itself is the same."""
    memory.version += 1
    memory.updated_at = max(case.now, memory.updated_at)
    memory.save()
    write_version(memory, case.reply.actor, Operation.REVISED, now=case.now)


def _restore_date(case: Case, text: str) -> None:
    """Give the memory the date that it had before the agent moved it, unless that has passed."""
    memory = Memory.objects.get(pk=case.memory.pk)
    moment = parse_datetime(text)
    if moment and moment > case.now and memory.expires_at != moment:
        memory.expires_at = moment
        memory.save(update_fields=["expires_at"])
        record(memory, case.reply.actor, Verb.RESCHEDULED)
