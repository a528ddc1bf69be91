"""Save a fact, or refresh the memory that already states it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import F, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Author, Kind, Memory, MemorySource, Operation, Question, State, Verb
from memories.queries.neighbours import Neighbours, neighbours
from memories.rules.authorship import check_authorship
from memories.rules.facts import sha256
from memories.rules.lifetimes import chosen_expiry
from memories.rules.paths import path
from memories.services.activity import record
from memories.services.asking import ask, settle
from memories.services.cleaning import RATIONALE_MAX, SOURCE_MAX, Cleaner
from memories.services.declining import declined_at
from memories.services.expiring import lifetimes
from memories.services.placing import first_spelling
from memories.services.queueing import compare_again
from memories.services.recognising import found_or_added
from memories.services.room import need_room
from memories.services.versions import author_of, derive, stamp, write_version
from spaces.isolation import inside
from spaces.models import Space

Outcome = Literal["created", "refreshed", "held"]


class KindError(DomainError):
    code = "bad_kind"
    hint = "Use decision, preference, observation or pointer."


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody wants to have remembered; `expires_at` is an ISO 8601 date or empty."""

    content: str
    kind: str
    path: str
    source: str = ""
    rationale: str = ""
    author: str = Author.AGENT
    expires_at: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a draft; `redacted` counts replaced values by type."""

    memory: Memory
    outcome: Outcome
    redacted: dict[str, int]
    near: Neighbours


def save_memory(*, space: Space, actor: Actor, draft: Draft) -> Saved:
    """Save the draft; a fact that is already there is confirmed instead of added.

    A fact is there when a memory of the same kind says it in the same wording, in the same place
    or in exactly the same words. Answers after the commit. What the person forgot is held for
    their answer when an agent says it again. Raises a DomainError, and writes nothing, when a
    rule refuses the draft.
    """
    cleaner, now = Cleaner(space), timezone.now()
    fresh, chosen = _checked(draft, actor, cleaner, now=now)
    fresh.space = space
    with inside(space):
        fresh.path = first_spelling(space, path(fresh.path))
        derive(fresh)
        memory = found_or_added(fresh)
        memory.space = space
        if memory is fresh:
            outcome = _created(memory, actor, now=now)
        else:
            outcome = _said_again(memory, fresh, actor, chosen=chosen)
        near = neighbours(memory, now=now)
    return Saved(memory, outcome, dict(cleaner.redacted), near)


def _checked(
    draft: Draft, actor: Actor, cleaner: Cleaner, *, now: datetime
) -> tuple[Memory, datetime | None]:
    """Return the memory that the draft describes, and the expiry that the caller chose."""
    if draft.kind == Kind.CHECKPOINT:
        raise KindError("A checkpoint is written by the checkpoint tool only.")
    if draft.kind not in Kind.values:
        raise KindError("This kind is not known.")
    memory = Memory(
        kind=draft.kind,
        path=path(cleaner.path(draft.path)).text,
        content=cleaner.content(draft.content),
        source=cleaner.text(draft.source, limit=SOURCE_MAX, what="The source"),
        rationale=cleaner.text(draft.rationale, limit=RATIONALE_MAX, what="The rationale"),
        author=author_of(actor, asked=draft.author),
        created_at=now,
        updated_at=now,
        confirmed_at=now,
        state_at=now,
        person_confirmed_at=now if actor.is_person else None,
    )
    check_authorship(
        kind=memory.kind,
        author=memory.author,
        source=memory.source,
        rationale=memory.rationale,
    )
    stamp(memory, actor)
    chosen = None
    if draft.expires_at:
        chosen = chosen_expiry(draft.expires_at, kind=memory.kind, now=now)
    memory.expires_at = chosen or lifetimes().expiry(memory.kind, now=now)
    return memory, chosen


def _created(memory: Memory, actor: Actor, *, now: datetime) -> Outcome:
    need_room(memory.space, are_written=True)
    write_version(memory, actor, Operation.CREATED, now=now)
    # Asked after the insert, which had to wait for whoever was just forgetting the same.
    if actor.is_agent and declined_at(memory):
        memory.state = State.HELD
        memory.save(update_fields=["state"])
        record(memory, actor, Verb.HELD)
        _ask_whether_to_relearn(memory)
        return "held"
    record(memory, actor, Verb.SAVED)
    return "created"


def _said_again(memory: Memory, fresh: Memory, actor: Actor, *, chosen: datetime | None) -> Outcome:
    had_lapsed = memory.is_expired(now=fresh.confirmed_at)
    _refresh(memory, fresh, chosen=chosen)
    if fresh.source and fresh.source != memory.source:
        _add_source(memory, fresh.source, actor)
    if memory.state == State.HELD:
        record(memory, actor, Verb.HELD)
        if actor.is_agent:
            _ask_whether_to_relearn(memory)
            return "held"
        Memory.objects.filter(pk=memory.pk).update(state=State.ACTIVE, state_at=fresh.state_at)
        settle(Question.RELEARNED, memory, actor=actor, resolution="confirmed")
    if had_lapsed:
        compare_again(memory)
    memory.refresh_from_db()
    record(memory, actor, Verb.REFRESHED)
    return "refreshed"


def _refresh(memory: Memory, fresh: Memory, *, chosen: datetime | None) -> None:
    expires_at: object = None
    if fresh.expires_at:
        # A date that nobody chose never shortens one that is there.
        default = Greatest("expires_at", Value(fresh.expires_at))
        expires_at = chosen or default
    Memory.objects.filter(pk=memory.pk).update(
        confirmations=F("confirmations") + 1,
        # Two agents may arrive out of order: never move a date backwards.
        confirmed_at=Greatest("confirmed_at", Value(fresh.confirmed_at)),
        person_confirmed_at=Greatest("person_confirmed_at", Value(fresh.person_confirmed_at))
        if fresh.person_confirmed_at
        else F("person_confirmed_at"),
        expires_at=expires_at,
    )
    memory.refresh_from_db()


def _add_source(memory: Memory, text: str, actor: Actor) -> None:
    source = MemorySource(
        space_id=memory.space_id,
        memory=memory,
        text=text,
        text_sha256=sha256(text),
        added_by=actor.user,
        client_name=actor.client_name,
    )
    MemorySource.objects.bulk_create([source], ignore_conflicts=True)


def _ask_whether_to_relearn(memory: Memory) -> None:
    declined = declined_at(memory)
    evidence = {"forgotten_at": declined.isoformat()} if declined else {}
    ask(Question.RELEARNED, memory, evidence=evidence)
