"""Change what a memory says, where it lies, or how long it holds."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Author, Kind, Memory, Operation, Question, State, Verb
from memories.rules.authorship import check_authorship
from memories.rules.lifetimes import EXPIRING, chosen_expiry
from memories.rules.paths import path
from memories.services.activity import record
from memories.services.asking import ask, settle
from memories.services.cleaning import RATIONALE_MAX, REASON_MAX, SOURCE_MAX, Cleaner
from memories.services.declining import declined_at
from memories.services.expiring import lifetimes
from memories.services.locking import changing, locked_memory
from memories.services.placing import first_spelling
from memories.services.saving import KindError
from memories.services.versions import author_of, derive, stamp, write_version
from spaces.models import Space

TEXT_FIELDS = ("content", "kind", "path", "source", "rationale")


class NothingToReviseError(DomainError):
    code = "nothing_to_revise"
    hint = "Send at least one of content, kind, path, source, rationale or expires_at."


class NotRevisableError(DomainError):
    code = "not_revisable"


class SameFactError(DomainError):
    code = "same_fact"


class DeclinedError(DomainError):
    code = "declined"
    hint = "Ask them; what you save as a new memory waits for their answer."


@dataclass(frozen=True, slots=True)
class Revision:
    """What shall change; None leaves a field as it is. `expected_version` guards against haste."""

    content: str | None = None
    kind: str | None = None
    path: str | None = None
    source: str | None = None
    rationale: str | None = None
    expires_at: str | None = None
    reason: str = ""
    expected_version: int | None = None

    @property
    def is_empty(self) -> bool:
        return self.expires_at is None and all(getattr(self, name) is None for name in TEXT_FIELDS)


@dataclass(frozen=True, slots=True)
class Revised:
    """The memory as it is now; on a conflict nothing was written."""

    memory: Memory
    outcome: Literal["revised", "unchanged", "conflict"]
    redacted: dict[str, int]


def revise_memory(*, space: Space, actor: Actor, memory_id: UUID, revision: Revision) -> Revised:
    """Write a new version of what changes; a new date alone changes only the validity.

    When `expected_version` is not the present one, nothing is written and the outcome is
    "conflict". Raises a DomainError when a rule refuses the change.
    """
    if revision.is_empty:
        raise NothingToReviseError("Nothing was sent to revise.")
    cleaner, now = Cleaner(space), timezone.now()
    with changing(space):
        memory = locked_memory(space, memory_id)
        if revision.expected_version not in {None, memory.version}:
            return Revised(memory, "conflict", {})
        _check_revisable(memory)
        before, date_before = memory.author, memory.expires_at
        reason = cleaner.text(revision.reason, limit=REASON_MAX, what="The reason")
        has_text = _change_text(memory, revision, actor, cleaner)
        has_date = _change_date(memory, revision, now=now)
        if has_text:
            _save_text(memory, actor, reason=reason, now=now)
        elif has_date:
            memory.save(update_fields=["expires_at"])
            record(memory, actor, Verb.RESCHEDULED, reason=reason)
        if (has_text or has_date) and actor.is_agent and before == Author.USER:
            evidence: dict[str, object] = {
                "version": memory.version - has_text,
                "change": "revised",
            }
            if has_date and date_before:
                evidence["expires_at"] = date_before.isoformat()
            ask(Question.CHANGED_BY_AGENT, memory, evidence=evidence)
    outcome: Literal["revised", "unchanged"] = "revised" if has_text or has_date else "unchanged"
    return Revised(memory, outcome, dict(cleaner.redacted))


def _check_revisable(memory: Memory) -> None:
    if memory.state == State.FORGOTTEN:
        raise NotRevisableError(
            "This memory was forgotten.", hint="Save what holds now as a new memory."
        )
    if memory.state == State.SUPERSEDED:
        raise NotRevisableError(
            "This memory was replaced by another one.",
            hint=f"Revise that one: {memory.superseded_by_id}."
            if memory.superseded_by_id
            else "Search for the one that holds now.",
        )
    if memory.state == State.HELD:
        raise NotRevisableError(
            "This memory waits for the person's answer.", hint="Ask them to review it."
        )
    if memory.kind == Kind.CHECKPOINT:
        raise NotRevisableError(
            "A checkpoint is not revised.", hint="Call checkpoint again with the same task."
        )


def _change_text(memory: Memory, revision: Revision, actor: Actor, cleaner: Cleaner) -> bool:
    """Put the new text into the row in memory; say whether anything differs."""
    before = {name: getattr(memory, name) for name in TEXT_FIELDS}
    if revision.content is not None:
        memory.content = cleaner.content(revision.content)
    if revision.kind is not None:
        _change_kind(memory, revision.kind)
    if revision.path is not None:
        wanted = path(cleaner.path(revision.path))
        memory.path = first_spelling(memory.space, wanted)
    if revision.source is not None:
        memory.source = cleaner.text(revision.source, limit=SOURCE_MAX, what="The source")
    if revision.rationale is not None:
        memory.rationale = cleaner.text(
            revision.rationale, limit=RATIONALE_MAX, what="The rationale"
        )
    if before == {name: getattr(memory, name) for name in TEXT_FIELDS}:
        return False
    # An agent that rewords what a tool said must not make it more than what a tool said.
    is_only_a_tools = memory.author == Author.TOOL and actor.is_agent
    if not (is_only_a_tools and memory.person_confirmed_at is None):
        memory.author = author_of(actor)
    check_authorship(
        kind=memory.kind,
        author=memory.author,
        source=memory.source,
        rationale=memory.rationale,
    )
    return True


def _change_kind(memory: Memory, kind: str) -> None:
    if kind not in Kind.values or kind == Kind.CHECKPOINT:
        raise KindError("A memory can't become of this kind.")
    memory.kind = kind


def _change_date(memory: Memory, revision: Revision, *, now: datetime) -> bool:
    before = memory.expires_at
    if revision.expires_at is not None:
        memory.expires_at = chosen_expiry(revision.expires_at, kind=memory.kind, now=now)
    elif memory.kind not in EXPIRING:
        memory.expires_at = None
    elif memory.expires_at is None:
        memory.expires_at = lifetimes().expiry(memory.kind, now=now)
    return memory.expires_at != before


def _save_text(memory: Memory, actor: Actor, *, reason: str, now: datetime) -> None:
    memory.version += 1
    # The clocks of two machines differ a little: never move a date backwards.
    memory.updated_at = max(now, memory.updated_at)
    stamp(memory, actor)
    earlier_fact = memory.fact_key
    derive(memory)
    if actor.is_person:
        memory.person_confirmed_at = now
    elif memory.fact_key != earlier_fact:
        memory.person_confirmed_at = None
    try:
        with transaction.atomic():
            memory.save()
    except IntegrityError as error:
        raise SameFactError(
            "Another memory already states exactly this.",
            hint="Revise or confirm that one, and forget this one.",
        ) from error
    # Asked after the update, which had to wait for whoever was just forgetting the same.
    if actor.is_agent and declined_at(memory):
        raise DeclinedError("The person forgot exactly this.")
    write_version(memory, actor, Operation.REVISED, reason=reason, now=now)
    record(memory, actor, Verb.REVISED, reason=reason)
    if actor.is_person:
        settle(Question.CHANGED_BY_AGENT, memory, actor=actor, resolution="rewritten")
