"""Save a fact: created, refreshed or held; everything else is refused and writes nothing."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import (
    Activity,
    Memory,
    MemorySource,
    MemoryVersion,
    Question,
    ReviewItem,
    ReviewState,
    State,
)
from memories.rules.facts import sha256
from memories.services.affirming import confirm_memory, restore_memory
from memories.services.forgetting import forget_memory
from memories.services.saving import Draft, Saved, save_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space
from tests.memories.rules.comparison.statements import apart

FACT = "We deploy on Fridays at noon."
TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def draft(content: str = FACT, **fields: str) -> Draft:
    usual = {"kind": "decision", "path": "Project.Deploy", "source": "Ana", "rationale": "Asked"}
    return Draft(content, **(usual | fields))


def save(space: Space, actor: Actor, content: str = FACT, **fields: str) -> Saved:
    return save_memory(space=space, actor=actor, draft=draft(content, **fields))


def test_a_new_fact_is_created_with_where_it_comes_from(space: Space, agent: Actor) -> None:
    saved = save(space, agent)

    memory = saved.memory
    assert saved.outcome == "created"
    assert (memory.content, memory.kind, memory.path) == (FACT, "decision", "Project.Deploy")
    assert (memory.source, memory.rationale, memory.author) == ("Ana", "Asked", "agent")
    assert (memory.client_key, memory.client_name) == ("app:claude code", "Claude Code")
    assert (memory.state, memory.version, memory.confirmations) == ("active", 1, 1)
    assert memory.content_sha256 == sha256(FACT)
    assert memory.expires_at is None


def test_a_new_fact_has_its_first_version_and_one_line_of_activity(
    space: Space, agent: Actor
) -> None:
    memory = save(space, agent).memory

    with inside(space):
        version = MemoryVersion.objects.of(memory).get()
        line = Activity.objects.in_space(space).get()
    assert (version.number, version.operation, version.content) == (1, "created", FACT)
    assert (version.client_name, version.changed_by) == ("Claude Code", space.owner)
    assert (line.verb, line.memory_id, line.is_agent, line.door) == (
        "saved",
        memory.pk,
        True,
        "mcp",
    )


@pytest.mark.parametrize("again", [FACT, "we deploy on fridays at noon", f"  {FACT}!\n"])
def test_the_same_fact_said_again_confirms_the_first(
    space: Space, agent: Actor, again: str
) -> None:
    with time_machine.travel(TODAY, tick=False):
        first = save(space, agent).memory

    with time_machine.travel(TODAY + timedelta(days=2), tick=False):
        saved = save(space, agent, again, source="Bruno")

    assert saved.outcome == "refreshed"
    assert saved.memory.pk == first.pk
    assert saved.memory.content == FACT
    assert saved.memory.confirmations == 2
    assert saved.memory.confirmed_at == TODAY + timedelta(days=2)
    assert saved.memory.updated_at == TODAY
    with inside(space):
        assert Memory.objects.count() == 1
        assert MemoryVersion.objects.count() == 1
        assert [source.text for source in saved.memory.more_sources.all()] == ["Bruno"]


SPELLINGS = {
    "numbers, units and articles": (
        "The session timeout is thirty minutes.",
        "Session timeout is 30 min",
    ),
    "an adverbial that moved": (
        "We deploy on Fridays after the tests.",
        "On Fridays after the tests, we deploy.",
    ),
    "an opening": ("Decision: keep the monorepo for now.", "Keep the monorepo for now!"),
    "a date": ("The launch is on May 4, 2026.", "The launch is on 2026-05-04."),
    "a number with a separator": (
        "The upload limit is 1,000 MB.",
        "The upload limit is 1000 megabytes.",
    ),
    "a short form": ("Don't commit anything to main.", "Do not commit anything to main."),
    "names of a product": (
        "Use PostgreSQL for all data.",
        "We decided to use Postgres for all data.",
    ),
    "Portuguese": ("O prazo é de trinta dias.", "O prazo é de 30 dias"),
    "code": ("Colour tokens live in tokens.css.", "Color tokens live in `tokens.css`."),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_the_same_wording_in_other_spellings_confirms_the_first(
    space: Space, agent: Actor, name: str
) -> None:
    text, again = SPELLINGS[name]
    first = save(space, agent, text).memory

    saved = save(space, agent, again, source="Bruno")
    back = save(space, agent, text)

    assert [saved.outcome, back.outcome] == ["refreshed", "refreshed"]
    assert saved.memory.pk == back.memory.pk == first.pk
    assert (back.memory.content, back.memory.confirmations) == (text, 3)
    with inside(space):
        assert Memory.objects.count() == 1
        assert MemoryVersion.objects.count() == 1


@pytest.mark.parametrize(
    "fields", [{"path": "Shop.Returns"}, {"kind": "preference"}, {"kind": "observation"}]
)
def test_other_spellings_elsewhere_or_of_another_kind_are_another_memory(
    space: Space, agent: Actor, fields: dict[str, str]
) -> None:
    save(space, agent, "The session timeout is thirty minutes.")

    saved = save(space, agent, "Session timeout is 30 min", **fields)

    assert saved.outcome == "created"
    assert len(saved.near.similar) == 1


def test_the_same_wording_is_found_among_many_like_it(space: Space, agent: Actor) -> None:
    for number in range(4000, 4060):
        save(space, agent, f"Build {number} passed on the main branch.")

    saved = save(space, agent, "The build 4031 passed on the main branch")

    assert saved.outcome == "refreshed"
    assert saved.memory.content == "Build 4031 passed on the main branch."


def test_what_lapsed_is_refreshed_by_another_spelling(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        save(space, agent, "The queue holds thirty jobs.", kind="observation")

    with time_machine.travel(TODAY + timedelta(days=31), tick=False):
        saved = save(space, agent, "The queue holds 30 jobs.", kind="observation")

    assert saved.outcome == "refreshed"
    assert saved.memory.expires_at == TODAY + timedelta(days=61)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pair=apart, kind=st.sampled_from(["decision", "preference", "observation", "pointer"]))
def test_one_thing_apart_is_never_refreshed(
    space: Space, agent: Actor, pair: tuple[str, str], kind: str
) -> None:
    texts = [f"{text} (here)" for text in pair]
    with transaction.atomic():
        outcomes = [save(space, agent, text, kind=kind).outcome for text in texts]
        transaction.set_rollback(True)

    assert outcomes == ["created", "created"]


def test_another_source_is_kept_once(space: Space, agent: Actor) -> None:
    save(space, agent)

    for source in ("Bruno", "Bruno", "Ana"):
        save(space, agent, source=source)

    with inside(space):
        assert [source.text for source in MemorySource.objects.all()] == ["Bruno"]


@pytest.mark.parametrize(
    "other",
    [
        "We deploy on Fridays at 13.",
        "We never deploy on Fridays at noon.",
        "We deploy on Mondays at noon.",
    ],
)
def test_a_fact_that_differs_in_one_word_is_another_memory(
    space: Space, agent: Actor, other: str
) -> None:
    first = save(space, agent).memory

    second = save(space, agent, other)

    assert second.outcome == "created"
    assert second.memory.pk != first.pk
    with inside(space):
        assert Memory.objects.filter(state=State.ACTIVE).count() == 2


def test_the_same_words_of_another_kind_are_another_memory(space: Space, agent: Actor) -> None:
    save(space, agent)

    assert save(space, agent, kind="observation").outcome == "created"


def test_the_same_fact_in_another_space_is_another_memory(space: Space, agent: Actor) -> None:
    save(space, agent)
    other = make_space()

    saved = save(other, agent_of(other))

    assert saved.outcome == "created"
    assert not saved.near.similar


def test_an_observation_lives_thirty_days_and_longer_when_said_again(
    space: Space, agent: Actor
) -> None:
    with time_machine.travel(TODAY, tick=False):
        first = save(space, agent, kind="observation").memory
    assert first.expires_at == TODAY + timedelta(days=30)

    with time_machine.travel(TODAY + timedelta(days=10), tick=False):
        again = save(space, agent, kind="observation").memory

    assert again.expires_at == TODAY + timedelta(days=40)


def test_an_expired_observation_that_is_said_again_holds_again(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        save(space, agent, kind="observation")

    with time_machine.travel(TODAY + timedelta(days=31), tick=False):
        saved = save(space, agent, kind="observation")

    assert saved.outcome == "refreshed"
    assert saved.memory.expires_at == TODAY + timedelta(days=61)


def test_a_chosen_date_holds_and_a_default_never_shortens_it(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        save(space, agent, kind="observation", expires_at="2027-01-01")

        again = save(space, agent, kind="observation").memory
        chosen = save(space, agent, kind="observation", expires_at="2026-03-05").memory

    assert again.expires_at == datetime(2027, 1, 1, 23, 59, 59, tzinfo=UTC)
    assert chosen.expires_at == datetime(2026, 3, 5, 23, 59, 59, tzinfo=UTC)


def test_what_the_person_writes_is_theirs_whatever_author_is_asked(
    space: Space, person: Actor
) -> None:
    saved = save(space, person, author="tool", source="", rationale="")

    assert saved.memory.author == "user"
    assert saved.memory.person_confirmed_at is not None
    assert saved.memory.client_key == ""


def test_an_agent_never_writes_as_the_person(space: Space, agent: Actor) -> None:
    assert save(space, agent, author="user").memory.author == "agent"


def test_what_a_tool_said_is_an_observation_by_tool(space: Space, agent: Actor) -> None:
    assert save(space, agent, author="tool", kind="observation").memory.author == "tool"


def test_a_path_is_shown_as_it_was_first_written(space: Space, agent: Actor) -> None:
    save(space, agent, path="Project.Auth")

    saved = save(space, agent, "The session lives thirty minutes.", path="PROJECT / auth")

    assert saved.memory.path == "Project.Auth"
    assert saved.memory.path_key == "project.auth"


def test_content_is_stored_byte_for_byte(space: Space, agent: Actor) -> None:
    content = "  def f():\n\treturn 'ação'  # e\u0301\r\n"

    assert save(space, agent, content).memory.content == content


def test_a_secret_is_replaced_everywhere_before_anything_is_stored(
    space: Space, agent: Actor
) -> None:
    secret = "ghp" + "_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d"

    saved = save(
        space,
        agent,
        f"The token is {secret} for now.",
        source=f"mail with {secret}",
        rationale=f"because {secret}",
    )

    assert saved.redacted == {"github_token": 3}
    with inside(space):
        for row in (Memory.objects.get(), MemoryVersion.objects.get()):
            assert secret not in f"{row.content}{row.source}{row.rationale}"
            assert "[redacted: github_token]" in row.content


def test_similar_and_contradicting_memories_are_named(space: Space, agent: Actor) -> None:
    near = save(space, agent, "The release team meets on Tuesdays in the small room.").memory
    against = save(space, agent, "The session timeout of the shop is 30 minutes.").memory

    similar = save(space, agent, "On Tuesdays the release team meets its designers.").near
    contradicting = save(space, agent, "The session timeout of the shop is 60 minutes.").near

    assert [memory.pk for memory in similar.similar] == [near.pk]
    assert not similar.disagrees_with
    assert [memory.pk for memory in contradicting.disagrees_with] == [against.pk]


def test_saving_never_changes_another_memory(space: Space, agent: Actor) -> None:
    against = save(space, agent, "The session timeout of the shop is 30 minutes.").memory

    save(space, agent, "The session timeout of the shop is 60 minutes.")

    with inside(space):
        now = Memory.objects.get(pk=against.pk)
    assert (now.state, now.version, now.content) == ("active", 1, against.content)


# What the person forgot


def forgotten_by(actor: Actor, space: Space) -> Memory:
    memory = make_memory(space, FACT)
    forget_memory(space=space, actor=actor, memory_id=memory.pk)
    return memory


def test_what_the_person_forgot_waits_in_review_when_an_agent_says_it_again(
    space: Space, agent: Actor, person: Actor
) -> None:
    with time_machine.travel(TODAY, tick=False):
        forgotten = forgotten_by(person, space)

    saved = save(space, agent)

    assert saved.outcome == "held"
    assert saved.memory.pk != forgotten.pk
    with inside(space):
        assert Memory.objects.get(pk=saved.memory.pk).state == State.HELD
        item = ReviewItem.objects.get(memory=saved.memory)
    assert (item.question, item.state) == (Question.RELEARNED, ReviewState.OPEN)
    assert item.evidence == {"forgotten_at": TODAY.isoformat()}


@pytest.mark.parametrize("path", ["Project.Deploy", "Elsewhere"])
def test_another_spelling_is_no_way_around_a_forget(
    space: Space, agent: Actor, person: Actor, path: str
) -> None:
    with time_machine.travel(TODAY, tick=False):
        first = save(space, agent, "The session timeout is thirty minutes.").memory
        forget_memory(space=space, actor=person, memory_id=first.pk)

    saved = save(space, agent, "Session timeout is 30 min", path=path)
    other = save(space, agent, "Session timeout is 31 min", path=path)

    assert (saved.outcome, other.outcome) == ("held", "created")
    with inside(space):
        item = ReviewItem.objects.get(memory=saved.memory, question=Question.RELEARNED)
    assert item.evidence == {"forgotten_at": TODAY.isoformat()}


def test_another_spelling_may_come_back_after_the_persons_yes(
    space: Space, agent: Actor, person: Actor
) -> None:
    first = save(space, agent, "The session timeout is thirty minutes.").memory
    forget_memory(space=space, actor=person, memory_id=first.pk)
    held = save(space, agent, "Session timeout is 30 min").memory
    confirm_memory(space=space, actor=person, memory_id=held.pk)
    forget_memory(space=space, actor=agent, memory_id=held.pk)

    assert save(space, agent, "The session timeout: 30 minutes.").outcome == "created"
    assert save(space, agent, "the session timeout is 30 minutes").outcome == "created"


@pytest.mark.parametrize("kind", ["observation", "preference"])
def test_another_kind_is_no_way_around_a_forget(
    space: Space, agent: Actor, person: Actor, kind: str
) -> None:
    forgotten_by(person, space)

    assert save(space, agent, kind=kind).outcome == "held"


def test_what_waits_is_asked_once_however_often_it_is_said(
    space: Space, agent: Actor, person: Actor
) -> None:
    forgotten_by(person, space)

    outcomes = [save(space, agent).outcome for _ in range(3)]

    assert outcomes == ["held"] * 3
    with inside(space):
        assert ReviewItem.objects.count() == 1
        assert Memory.objects.filter(state=State.HELD).get().confirmations == 3


def test_what_an_agent_forgot_can_simply_be_saved_again(space: Space, agent: Actor) -> None:
    forgotten_by(agent, space)

    assert save(space, agent).outcome == "created"


def test_what_the_person_says_again_after_forgetting_it_holds(
    space: Space, agent: Actor, person: Actor
) -> None:
    forgotten_by(person, space)
    held = save(space, agent).memory

    saved = save(space, person)

    assert saved.outcome == "refreshed"
    assert (saved.memory.pk, saved.memory.state) == (held.pk, "active")
    with inside(space):
        assert ReviewItem.objects.get().state == ReviewState.RESOLVED


def test_after_the_persons_yes_an_agent_may_say_it_again(
    space: Space, agent: Actor, person: Actor
) -> None:
    forgotten_by(person, space)
    held = save(space, agent).memory
    confirm_memory(space=space, actor=person, memory_id=held.pk)
    forget_memory(space=space, actor=agent, memory_id=held.pk)

    assert save(space, agent).outcome == "created"


def test_after_a_restore_an_agent_may_say_it_again(
    space: Space, agent: Actor, person: Actor
) -> None:
    forgotten = forgotten_by(person, space)
    restore_memory(space=space, actor=person, memory_id=forgotten.pk)

    saved = save(space, agent)

    assert (saved.outcome, saved.memory.pk) == ("refreshed", forgotten.pk)


def test_a_fact_that_is_live_is_refreshed_although_it_was_once_forgotten(
    space: Space, agent: Actor, person: Actor
) -> None:
    forgotten_by(person, space)
    live = save(space, person).memory

    saved = save(space, agent)

    assert (saved.outcome, saved.memory.pk) == ("refreshed", live.pk)


# Refusals

REFUSED = {
    "an empty content": ({"content": ""}, "bad_content"),
    "a blank content": ({"content": " \n\t "}, "bad_content"),
    "an invisible content": ({"content": "\u200b" * 20}, "bad_content"),
    "a short content": ({"content": "Use tabs."}, "bad_content"),
    "a content filled up invisibly": ({"content": "Use" + "\u2060" * 9 + " x"}, "bad_content"),
    "a content filled up with spaces": ({"content": "a          b"}, "bad_content"),
    "a long content": ({"content": "x" * 4001}, "too_long"),
    "half a character": ({"content": f"{FACT}\ud800"}, "unreadable_text"),
    "a private key": ({"content": "-----BEGIN " + "PRIVATE KEY-----"}, "secret_refused"),
    "an unknown kind": ({"kind": "rumour"}, "bad_kind"),
    "no kind": ({"kind": ""}, "bad_kind"),
    "a checkpoint": ({"kind": "checkpoint"}, "bad_kind"),
    "no path": ({"path": ""}, "bad_path"),
    "a bad path": ({"path": "A..B"}, "bad_path"),
    "a long path": ({"path": "a" * 2000}, "too_long"),
    "a decision without source": ({"source": ""}, "unsourced"),
    "a decision with a blank source": ({"source": " \u200b "}, "unsourced"),
    "a preference without rationale": ({"kind": "preference", "rationale": ""}, "unsourced"),
    "a long source": ({"source": "x" * 501}, "too_long"),
    "a long rationale": ({"rationale": "x" * 1001}, "too_long"),
    "a decision by a tool": ({"author": "tool"}, "tool_author"),
    "a date on a decision": ({"expires_at": "2030-01-01"}, "bad_expiry"),
    "a date in the past": ({"kind": "observation", "expires_at": "2020-01-01"}, "bad_expiry"),
    "a date that is none": ({"kind": "observation", "expires_at": "soon"}, "bad_expiry"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_draft_is_refused_with_a_hint_and_nothing_is_written(
    space: Space, agent: Actor, name: str
) -> None:
    fields, code = REFUSED[name]

    with pytest.raises(DomainError) as refusal:
        save(space, agent, **fields)

    assert refusal.value.code == code
    assert refusal.value.hint
    with inside(space):
        for model in (Memory, MemoryVersion, Activity, ReviewItem):
            assert not model.objects.exists()


@pytest.mark.parametrize(
    "content", ["x" * 12, "x" * 4000, "yes it is ok", "🙂" * 12, "日本語の文章を書きます。"]
)
def test_content_of_twelve_to_four_thousand_characters_is_taken(
    space: Space, agent: Actor, content: str
) -> None:
    assert save(space, agent, content).outcome == "created"


def test_a_refusal_never_quotes_what_was_sent(space: Space, agent: Actor) -> None:
    with pytest.raises(DomainError) as refusal:
        save(space, agent, path="Hunter2!secret")

    assert "Hunter2" not in refusal.value.sentence
