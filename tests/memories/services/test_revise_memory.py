"""Change a memory: a new version of its text, or only how long it holds."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Activity, Memory, MemoryVersion, Question, ReviewItem, ReviewState
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import confirm_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revised, Revision, revise_memory
from memories.services.saving import Draft, save_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
NEW = "We deploy on Mondays at noon."


def revise(memory: Memory, actor: Actor, **changes: Any) -> Revised:
    return revise_memory(
        space=memory.space, actor=actor, memory_id=memory.pk, revision=Revision(**changes)
    )


def versions(memory: Memory) -> list[MemoryVersion]:
    with inside(memory.space):
        return list(MemoryVersion.objects.of(memory))


def test_a_new_text_is_a_new_version_and_the_old_one_stays(space: Space, agent: Actor) -> None:
    memory = make_memory(space, "We deploy on Fridays at noon.")

    revised = revise(memory, agent, content=NEW, reason="Ana moved it")

    assert (revised.outcome, revised.memory.version) == ("revised", 2)
    assert revised.memory.pk == memory.pk
    new, old = versions(memory)
    assert (new.number, new.content, new.operation, new.reason) == (
        2,
        NEW,
        "revised",
        "Ana moved it",
    )
    assert (old.number, old.content, old.operation) == (
        1,
        "We deploy on Fridays at noon.",
        "created",
    )
    with inside(space):
        assert Activity.objects.in_space(space)[0].verb == "revised"


def test_a_new_text_alone_keeps_everything_else(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        memory = make_memory(space, kind="observation", expires_at="2026-03-05")

    with time_machine.travel(TODAY + timedelta(days=1), tick=False):
        now = revise(memory, agent, content=NEW).memory

    kept = ("kind", "path", "source", "rationale", "expires_at", "created_at", "confirmations")
    assert [getattr(now, name) for name in kept] == [getattr(memory, name) for name in kept]
    assert now.updated_at == TODAY + timedelta(days=1)


def test_a_new_date_alone_leaves_text_version_and_hash_untouched(
    space: Space, agent: Actor
) -> None:
    memory = make_memory(space, kind="observation")

    revised = revise(memory, agent, expires_at="2031-01-01")

    assert revised.outcome == "revised"
    untouched = ("content", "version", "content_sha256", "fact_key", "updated_at", "author")
    assert [getattr(revised.memory, name) for name in untouched] == [
        getattr(memory, name) for name in untouched
    ]
    assert len(versions(memory)) == 1
    with inside(space):
        assert Activity.objects.in_space(space)[0].verb == "rescheduled"


def test_a_new_date_brings_an_expired_memory_back(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        memory = make_memory(space, kind="observation")

    with time_machine.travel(TODAY + timedelta(days=31), tick=False):
        assert memory.is_expired(now=TODAY + timedelta(days=31))
        now = revise(memory, agent, expires_at="2026-12-31").memory

    assert now.is_live(now=TODAY + timedelta(days=31))


def test_what_was_sent_and_is_there_already_changes_nothing(space: Space, agent: Actor) -> None:
    memory = make_memory(space)

    revised = revise(memory, agent, content=memory.content, path="PROJECT", source="Ana")

    assert (revised.outcome, revised.memory.version) == ("unchanged", 1)
    assert len(versions(memory)) == 1


def test_a_path_that_is_in_use_is_shown_as_it_was_first_written(space: Space, agent: Actor) -> None:
    make_memory(space, "The session lives thirty minutes.", path="Shop.Auth")
    memory = make_memory(space)

    assert revise(memory, agent, path="shop/AUTH").memory.path == "Shop.Auth"


def test_a_secret_in_a_revision_is_replaced(space: Space, agent: Actor) -> None:
    secret = "glpat" + "-" + "Ab3dEf6hIj9kLm2nOp5q"
    memory = make_memory(space)

    revised = revise(memory, agent, content=f"The token is {secret}", reason=f"was {secret}")

    assert revised.redacted == {"gitlab_token": 2}
    assert secret not in revised.memory.content + versions(memory)[0].reason


# The kind


def test_an_observation_that_becomes_a_decision_has_no_date(space: Space, agent: Actor) -> None:
    memory = make_memory(space, kind="observation")

    now = revise(memory, agent, kind="decision").memory

    assert (now.kind, now.expires_at) == ("decision", None)


def test_a_decision_that_becomes_an_observation_gets_a_date(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        memory = make_memory(space)

        now = revise(memory, agent, kind="observation").memory

    assert now.expires_at == TODAY + timedelta(days=30)


@pytest.mark.parametrize("kind", ["checkpoint", "rumour", ""])
def test_a_memory_becomes_no_checkpoint_and_nothing_unknown(
    space: Space, agent: Actor, kind: str
) -> None:
    memory = make_memory(space)

    with pytest.raises(DomainError) as refusal:
        revise(memory, agent, kind=kind)

    assert refusal.value.code == "bad_kind"


# The version that the caller has seen


def test_an_edit_of_an_older_version_writes_nothing_and_brings_the_present_text(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space)
    revise(memory, agent, content=NEW)

    revised = revise(memory, person, content="We deploy when Ana says so.", expected_version=1)

    assert revised.outcome == "conflict"
    assert (revised.memory.content, revised.memory.version) == (NEW, 2)
    assert len(versions(memory)) == 2


def test_an_edit_of_the_present_version_is_written(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    assert revise(memory, person, content=NEW, expected_version=1).outcome == "revised"


def test_a_clock_that_is_behind_moves_no_date_backwards(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        memory = make_memory(space)

    with time_machine.travel(TODAY - timedelta(seconds=2), tick=False):
        now = revise(memory, agent, content=NEW).memory

    assert now.updated_at == TODAY


# Whose text it is


def test_an_agents_change_of_the_persons_text_takes_effect_and_appears_in_review(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, actor=person)

    now = revise(memory, agent, content=NEW).memory

    assert (now.content, now.author, now.client_name) == (NEW, "agent", "Claude Code")
    with inside(space):
        item = ReviewItem.objects.get()
    assert (item.question, item.memory_id) == (Question.CHANGED_BY_AGENT, memory.pk)
    assert item.evidence == {"version": 1, "change": "revised"}


def test_an_agents_new_date_for_the_persons_text_appears_in_review(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, actor=person, kind="observation")

    now = revise(memory, agent, expires_at="2031-01-01").memory

    assert now.author == "user"
    with inside(space):
        evidence = ReviewItem.objects.get().evidence
    assert memory.expires_at is not None
    before = memory.expires_at.isoformat()
    assert evidence == {"version": 1, "change": "revised", "expires_at": before}


def test_an_agents_change_of_its_own_text_asks_nobody(space: Space, agent: Actor) -> None:
    revise(make_memory(space), agent, content=NEW)

    with inside(space):
        assert not ReviewItem.objects.exists()


def test_the_persons_own_edit_settles_what_an_agent_changed(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, actor=person)
    revise(memory, agent, content=NEW)

    now = revise(memory, person, content="We deploy when Ana says so.").memory

    assert (now.author, now.client_name) == ("user", "")
    assert now.person_confirmed_at == now.updated_at
    with inside(space):
        item = ReviewItem.objects.get()
    assert (item.state, item.resolution) == (ReviewState.RESOLVED, "rewritten")


def test_an_agent_takes_a_rule_over_only_with_source_and_rationale(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, actor=person, source="", rationale="")

    with pytest.raises(DomainError) as refusal:
        revise(memory, agent, content=NEW)

    assert refusal.value.code == "unsourced"
    assert revise(memory, agent, content=NEW, source="Ana", rationale="Asked").outcome == "revised"


def test_an_agent_makes_no_rule_of_what_a_tool_said(space: Space, agent: Actor) -> None:
    memory = make_memory(space, kind="observation", author="tool")

    with pytest.raises(DomainError) as refusal:
        revise(memory, agent, kind="decision")

    assert refusal.value.code == "tool_author"
    assert revise(memory, agent, content=NEW).memory.author == "tool"


def test_an_agent_may_make_a_rule_of_it_once_the_person_confirmed_it(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, kind="observation", author="tool")
    confirm_memory(space=space, actor=person, memory_id=memory.pk)

    now = revise(memory, agent, kind="decision").memory

    assert (now.kind, now.author) == ("decision", "agent")


# Refusals


def test_no_revision_makes_two_memories_of_one_fact(space: Space, agent: Actor) -> None:
    make_memory(space, NEW)
    memory = make_memory(space)

    with pytest.raises(DomainError) as refusal:
        revise(memory, agent, content=NEW.upper())

    assert refusal.value.code == "same_fact"
    assert len(versions(memory)) == 1


def test_an_agent_brings_back_by_revising_nothing_that_the_person_forgot(
    space: Space, agent: Actor, person: Actor
) -> None:
    forgotten = make_memory(space, NEW)
    forget_memory(space=space, actor=person, memory_id=forgotten.pk)
    memory = make_memory(space)

    with pytest.raises(DomainError) as refusal:
        revise(memory, agent, content=NEW)

    assert refusal.value.code == "declined"
    assert revise(memory, person, content=NEW).outcome == "revised"


def test_a_confirmation_of_another_text_is_no_way_around_a_forget(
    space: Space, agent: Actor, person: Actor
) -> None:
    forgotten = make_memory(space, NEW)
    forget_memory(space=space, actor=person, memory_id=forgotten.pk)
    memory = make_memory(space)
    confirm_memory(space=space, actor=person, memory_id=memory.pk)

    with pytest.raises(DomainError) as refusal:
        revise(memory, agent, content=NEW)

    assert refusal.value.code == "declined"
    assert len(versions(memory)) == 1


def test_what_an_agent_says_anew_is_not_confirmed_by_the_person(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space)
    confirm_memory(space=space, actor=person, memory_id=memory.pk)

    moved = revise(memory, agent, path="Elsewhere").memory
    reworded = revise(memory, agent, content=NEW).memory

    assert moved.person_confirmed_at is not None
    assert reworded.person_confirmed_at is None


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "nothing_to_revise"),
    ({"reason": "because", "expected_version": 1}, "nothing_to_revise"),
    ({"content": ""}, "bad_content"),
    ({"content": "short"}, "bad_content"),
    ({"content": "x" * 4001}, "too_long"),
    ({"path": "A..B"}, "bad_path"),
    ({"path": ""}, "bad_path"),
    ({"source": "x" * 501}, "too_long"),
    ({"source": ""}, "unsourced"),
    ({"rationale": "x" * 1001}, "too_long"),
    ({"reason": "x" * 501, "content": NEW}, "too_long"),
    ({"expires_at": "2031-01-01"}, "bad_expiry"),
    ({"kind": "observation", "expires_at": "2020-01-01"}, "bad_expiry"),
    ({"kind": "observation", "expires_at": ""}, "bad_expiry"),
]


@pytest.mark.parametrize(("changes", "code"), REFUSED)
def test_a_bad_revision_is_refused_and_nothing_is_written(
    space: Space, agent: Actor, changes: dict[str, Any], code: str
) -> None:
    memory = make_memory(space)

    with pytest.raises(DomainError) as refusal:
        revise(memory, agent, **changes)

    assert (refusal.value.code, bool(refusal.value.hint)) == (code, True)
    with inside(space):
        now = Memory.objects.get(pk=memory.pk)
        assert Activity.objects.count() == 1
    assert (now.content, now.version) == (memory.content, 1)


def test_what_was_forgotten_is_not_revised(space: Space, agent: Actor, person: Actor) -> None:
    memory = make_memory(space)
    forget_memory(space=space, actor=agent, memory_id=memory.pk)

    for actor in (agent, person):
        with pytest.raises(DomainError) as refusal:
            revise(memory, actor, content=NEW)
        assert refusal.value.code == "not_revisable"


def test_what_waits_for_the_person_is_not_revised(
    space: Space, agent: Actor, person: Actor
) -> None:
    forgotten = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=forgotten.pk)
    held = make_memory(space)

    with pytest.raises(DomainError) as refusal:
        revise(held, agent, content=NEW)

    assert refusal.value.code == "not_revisable"


def test_a_checkpoint_is_not_revised_whether_it_holds_or_was_replaced(
    space: Space, agent: Actor
) -> None:
    fields = CheckpointFields(task="Shop", goal="Cards work", next_step="Write the test")
    first = checkpoint_task(space=space, actor=agent, fields=fields).memory
    second = checkpoint_task(space=space, actor=agent, fields=fields).memory

    for memory, hint in ((second, "Call checkpoint again"), (first, str(second.pk))):
        with pytest.raises(DomainError) as refusal:
            revise(memory, agent, content=NEW)
        assert refusal.value.code == "not_revisable"
        assert hint in refusal.value.hint


def test_an_id_of_another_space_and_an_id_of_none_are_answered_alike(
    space: Space, agent: Actor
) -> None:
    memory = make_memory(space)
    other = make_space()
    elsewhere = make_memory(other)
    answers = []

    for memory_id in (elsewhere.pk, other.pk):
        with pytest.raises(DomainError) as refusal:
            revise_memory(
                space=space, actor=agent, memory_id=memory_id, revision=Revision(content=NEW)
            )
        answers.append((refusal.value.code, refusal.value.sentence))

    assert answers[0] == answers[1]
    assert answers[0][0] == "not_found"
    assert versions(memory)[0].number == versions(elsewhere)[0].number == 1


def test_a_revised_text_is_found_by_saving_it_again(space: Space, agent: Actor) -> None:
    memory = make_memory(space)
    revise(memory, agent, content=NEW)

    draft = Draft(NEW, "decision", "Project", source="Ana", rationale="Asked")
    again = save_memory(space=space, actor=agent_of(space, name="Cursor"), draft=draft)

    assert (again.outcome, again.memory.pk) == ("refreshed", memory.pk)
