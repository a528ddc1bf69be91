"""Keep the state of a task; a newer checkpoint replaces the one before."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Activity, Memory, MemoryVersion, State
from memories.rules.checkpoints import CheckpointFields
from memories.rules.paths import path
from memories.services.checkpointing import Checkpointed, checkpoint_task
from memories.services.forgetting import forget_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_space

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def checkpoint(space: Space, actor: Actor, **fields: str) -> Checkpointed:
    usual = {"task": "Payment page", "goal": "Cards work", "next_step": "Write the test"}
    return checkpoint_task(space=space, actor=actor, fields=CheckpointFields(**(usual | fields)))


def test_a_checkpoint_is_readable_text_that_lives_two_weeks(space: Space, agent: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        made = checkpoint(space, agent, done="The form")

    assert made.outcome == "created"
    assert made.memory.content == (
        "Task: Payment page\nGoal: Cards work\nNext step: Write the test\nDone: The form"
    )
    assert made.memory.checkpoint_fields["done"] == "The form"
    assert made.memory.path == "Checkpoint.Payment-page"
    assert made.memory.expires_at == TODAY + timedelta(days=14)
    with inside(space):
        assert MemoryVersion.objects.of(made.memory).get().checkpoint["goal"] == "Cards work"


@pytest.mark.parametrize("task", ["Payment page", "  payment   PAGE ", "Payment page."])
def test_a_newer_one_of_the_same_task_replaces_the_earlier(
    space: Space, agent: Actor, task: str
) -> None:
    first = checkpoint(space, agent).memory

    made = checkpoint(space, agent, task=task, next_step="Ship it")

    assert made.outcome == "replaced"
    with inside(space):
        earlier = Memory.objects.get(pk=first.pk)
        verbs = sorted(Activity.objects.values_list("verb", flat=True))
    assert (earlier.state, earlier.superseded_by_id) == (State.SUPERSEDED, made.memory.pk)
    assert "Write the test" in earlier.content
    assert verbs == ["saved", "saved", "superseded"]


def test_another_task_and_another_space_keep_their_own(space: Space, agent: Actor) -> None:
    checkpoint(space, agent)

    assert checkpoint(space, agent, task="Payment page 2").outcome == "created"
    assert checkpoint(make_space(), agent).outcome == "created"


def test_the_same_words_at_two_times_are_two_checkpoints(space: Space, agent: Actor) -> None:
    first = checkpoint(space, agent).memory

    assert checkpoint(space, agent).memory.pk != first.pk


def test_a_forgotten_checkpoint_stays_forgotten_when_the_next_one_comes(
    space: Space, agent: Actor, person: Actor
) -> None:
    first = checkpoint(space, agent).memory
    forget_memory(space=space, actor=person, memory_id=first.pk)

    made = checkpoint(space, agent)

    assert made.outcome == "created"
    with inside(space):
        assert Memory.objects.get(pk=first.pk).state == State.FORGOTTEN


@pytest.mark.parametrize(
    "task", ["½ of the work²", "C++ / Go > Rust.", "🙂🙂", "निर्णय की समीक्षा", "x" * 200, "ß" * 200]
)
def test_whatever_the_task_is_called_its_path_is_one(space: Space, agent: Actor, task: str) -> None:
    made = checkpoint(space, agent, task=task).memory

    assert path(made.path).text == made.path
    assert path(made.path).key == made.path_key


def test_secrets_in_any_field_are_replaced(space: Space, agent: Actor) -> None:
    secret = "glpat" + "-" + "Ab3dEf6hIj9kLm2nOp5q"
    fields = dict.fromkeys(("goal", "next_step", "done", "blockers", "constraints"), secret)

    made = checkpoint(space, agent, **fields, sources=secret)

    assert made.redacted == {"gitlab_token": 6}
    with inside(space):
        memory, version = Memory.objects.get(), MemoryVersion.objects.get()
    assert secret not in f"{memory.content}{memory.checkpoint}"
    assert secret not in f"{version.content}{version.checkpoint}"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"task": ""}, "bad_checkpoint"),
        ({"task": " \u200b"}, "bad_checkpoint"),
        ({"task": "..."}, "bad_checkpoint"),
        ({"goal": "  "}, "bad_checkpoint"),
        ({"next_step": ""}, "bad_checkpoint"),
        ({"task": "x" * 201}, "too_long"),
        ({"goal": "x" * 2001}, "too_long"),
        ({"sources": "x" * 2001}, "too_long"),
        ({"done": "a\ud800b"}, "unreadable_text"),
        ({"constraints": "-----BEGIN " + "PRIVATE KEY-----"}, "secret_refused"),
    ],
)
def test_a_bad_checkpoint_is_refused_and_the_earlier_one_stays(
    space: Space, agent: Actor, fields: dict[str, str], code: str
) -> None:
    first = checkpoint(space, agent).memory

    with pytest.raises(DomainError) as refusal:
        checkpoint(space, agent, **fields)

    assert (refusal.value.code, bool(refusal.value.hint)) == (code, True)
    with inside(space):
        assert Memory.objects.get().pk == first.pk
        assert Memory.objects.get().state == State.ACTIVE
