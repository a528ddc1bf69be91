"""Secrets in rows that were written before a rule knew them."""

import pytest
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import NotAllowedError
from memories.models import (
    Activity,
    Memory,
    MemorySource,
    MemoryVersion,
    ReviewItem,
    State,
)
from memories.queries.undoing import Work
from memories.rules.checkpoints import CheckpointFields
from memories.rules.facts import fact_key, sha256
from memories.services.affirming import restore_version
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, SameFactError, revise_memory
from memories.services.scanning import find_secrets, redact_secrets, secrets_in_details
from memories.services.undoing import undo_work
from spaces.isolation import inside
from spaces.models import Space
from tests.brain.sanitising.made_up import made_up
from tests.factories import make_memory, make_space

KEY = made_up("ghp_<alnum 36>")
MARK = "[redacted: github_token]"


@pytest.fixture
def old(space: Space, agent: Actor) -> Memory:
    """Return a memory of two versions that hold a key everywhere, as before there was a rule."""
    memory = make_memory(space, "The deploy bot has a key.", actor=agent)
    change = Revision(content="The deploy bot has a new key.", reason="It was changed")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    with inside(space):
        Memory.objects.update(content=f"The deploy bot has {KEY}.", source=f"Ana sent {KEY}")
        MemoryVersion.objects.update(content=f"The bot has {KEY}", reason=f"was {KEY}")
        Activity.objects.update(reason=f"was {KEY}")
        MemorySource.objects.create(space=space, memory=memory, text=KEY, text_sha256=sha256(KEY))
        ReviewItem.objects.create(
            space=space, memory=memory, question="unsourced", undo={"before": [f"{KEY}"]}
        )
    return memory


def test_every_text_about_a_memory_is_looked_through(space: Space, old: Memory) -> None:
    (finding,) = find_secrets(space)

    assert finding.memory_id == old.pk
    # Two in the memory, two in each of two versions, two lines, one source, one question.
    assert finding.types == {"github_token": 10}


def test_a_space_without_secrets_has_no_findings(space: Space) -> None:
    make_memory(space, "The password is kept in the vault.")

    assert find_secrets(space) == []
    assert not secrets_in_details(space)


def test_secrets_of_another_space_are_not_found_here(space: Space, old: Memory) -> None:
    assert find_secrets(make_space()) == []


def test_redaction_is_a_new_version_and_the_history_keeps_all_but_the_secrets(
    space: Space, person: Actor, old: Memory
) -> None:
    found = redact_secrets(space=space, actor=person, memory_id=old.pk)

    assert found == {"github_token": 10}
    assert find_secrets(space) == []
    with inside(space):
        now = Memory.objects.get()
        assert (now.version, now.content) == (3, f"The deploy bot has {MARK}.")
        assert now.content_sha256 == sha256(now.content)
        assert now.fact_key == fact_key(now.content)
        versions = list(MemoryVersion.objects.of(now))
        assert [version.number for version in versions] == [3, 2, 1]
        assert versions[0].reason == "Redacted: github_token (10)"
        assert versions[0].changed_by == person.user
        assert versions[2].content == f"The bot has {MARK}"
        assert all(version.content_sha256 == sha256(version.content) for version in versions)
        assert MemorySource.objects.get().text == MARK
        assert ReviewItem.objects.get().undo == {"before": [MARK]}
        assert Activity.objects.in_space(space)[0].reason == "Redacted: github_token (10)"


def test_doing_it_again_changes_nothing(space: Space, person: Actor, old: Memory) -> None:
    redact_secrets(space=space, actor=person, memory_id=old.pk)

    assert not redact_secrets(space=space, actor=person, memory_id=old.pk)

    with inside(space):
        assert Memory.objects.get().version == 3


def test_a_private_key_in_an_old_row_goes_as_well(space: Space, person: Actor) -> None:
    memory = make_memory(space)
    key = made_up("-----BEGIN PRIVATE <upper 0>KEY-----\n<base64 64>\n-----END PRIVATE KEY-----")
    with inside(space):
        Memory.objects.update(content=f"Use this key:\n{key}")

    assert redact_secrets(space=space, actor=person, memory_id=memory.pk) == {"private_key": 1}

    with inside(space):
        assert Memory.objects.get().content == "Use this key:\n[redacted: private_key]"


def test_what_was_forgotten_is_redacted_and_stays_forgotten(
    space: Space, person: Actor, old: Memory
) -> None:
    forget_memory(space=space, actor=person, memory_id=old.pk)

    redact_secrets(space=space, actor=person, memory_id=old.pk)

    with inside(space):
        assert Memory.objects.get().state == State.FORGOTTEN
        assert KEY not in Memory.objects.get().content


def test_a_checkpoint_is_redacted_in_its_fields_and_in_its_task(
    space: Space, agent: Actor, person: Actor
) -> None:
    fields = CheckpointFields(task="Move the bot", goal="Move it", next_step="Test it")
    memory = checkpoint_task(space=space, actor=agent, fields=fields).memory
    with inside(space):
        old = {"task": f"Move {KEY}", "goal": "Move it", "next_step": "Test it"}
        Memory.objects.update(checkpoint=old, task_key=f"move {KEY}", content=f"Task: Move {KEY}")

    redact_secrets(space=space, actor=person, memory_id=memory.pk)

    with inside(space):
        now = Memory.objects.get()
        assert now.checkpoint["task"] == f"Move {MARK}"
        assert now.task_key == f"move {MARK}"


def test_two_memories_that_differ_only_in_their_secret_are_left_to_the_person(
    space: Space, person: Actor, old: Memory
) -> None:
    make_memory(space, f"The deploy bot has {KEY}.")

    with pytest.raises(SameFactError):
        redact_secrets(space=space, actor=person, memory_id=old.pk)

    assert find_secrets(space) != []


def test_an_agent_redacts_nothing(space: Space, agent: Actor, old: Memory) -> None:
    with pytest.raises(NotAllowedError):
        redact_secrets(space=space, actor=agent, memory_id=old.pk)


def test_an_earlier_version_comes_back_without_its_secret(
    space: Space, person: Actor, old: Memory
) -> None:
    now = restore_version(space=space, actor=person, memory_id=old.pk, number=1)

    assert now.content == f"The bot has {MARK}"


def test_a_private_key_does_not_come_back_with_an_earlier_version(
    space: Space, person: Actor, old: Memory
) -> None:
    key = made_up("-----BEGIN PRIVATE <upper 0>KEY-----\n<base64 64>\n-----END PRIVATE KEY-----")
    with inside(space):
        MemoryVersion.objects.filter(number=1).update(content=f"The key is {key}")

    now = restore_version(space=space, actor=person, memory_id=old.pk, number=1)

    assert now.content == "The key is [redacted: private_key]"


def test_undoing_an_agents_work_brings_no_secret_back(
    space: Space, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, "The bot has a key.", actor=person)
    start = timezone.now()
    change = Revision(content="The bot has a new key.", source="Rui", rationale="It was lost")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    with inside(space):
        MemoryVersion.objects.filter(number=1).update(content=f"The bot has {KEY}")

    undo_work(space=space, actor=person, work=Work(agent.client_key, since=start))

    with inside(space):
        assert Memory.objects.get().content == f"The bot has {MARK}"


def test_personal_data_counts_only_where_the_space_redacts_it(space: Space) -> None:
    make_memory(space, "Ana has the address ana@example.org.")
    assert find_secrets(space) == []

    space.auto_redact_pii = True

    (finding,) = find_secrets(space)
    # In the memory and in its version.
    assert finding.types == {"email": 2}
