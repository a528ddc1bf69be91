"""Whatever happened in a space, its export comes back as it was."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Memory, MemoryVersion
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import (
    confirm_memory,
    erase_memory,
    erase_version,
    restore_memory,
    restore_version,
)
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.noticing import notice_expired, notice_unsourced
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, save_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_space
from tests.memories.services.transfer.files import comparable, exported, imported, verdicts

pytestmark = pytest.mark.django_db

# Few texts and paths, so that facts meet: said again, forgotten, saved anew, revised into another.
TEXTS = [
    "We deploy on Fridays at noon.",
    "We deploy on Mondays at noon.",
    "Nós publicamos às sextas, ao meio-dia.",
    "The wiki lies at wiki.example.org, see [[Project.Deploy]].",
    "Ⓤnicode: 10² ≠ 102 — “quoted” \u200d and\ttabs\nand lines 🧠",
]
PATHS = ["Project.Deploy", "Project.Wiki", "Straße.Plan"]
KINDS = ["decision", "preference", "observation", "pointer"]


@dataclass(frozen=True)
class Step:
    what: str
    text: str
    path: str
    kind: str
    by_agent: bool
    which: int


STEPS = st.builds(
    Step,
    what=st.sampled_from(
        ["save", "save", "save", "revise", "forget", "restore", "erase", "erase_version",
         "restore_version", "confirm", "checkpoint", "notice"]
    ),
    text=st.sampled_from(TEXTS),
    path=st.sampled_from(PATHS),
    kind=st.sampled_from(KINDS),
    by_agent=st.booleans(),
    which=st.integers(0, 20),
)  # fmt: skip


def perform(space: Space, step: Step) -> None:
    """Do it if the rules allow it; a refusal is a part of life."""
    actor = agent_of(space) if step.by_agent else make_actor(space.owner)
    with inside(space):
        rows = list(Memory.objects.filter(space=space).order_by("pk").values_list("pk", "version"))
    try:
        if step.what in NEW:
            NEW[step.what](space, actor, step)
        elif rows:
            memory_id, version = rows[step.which % len(rows)]
            OLD[step.what](
                {"space": space, "actor": actor, "memory_id": memory_id},
                step,
                step.which % version + 1,
            )
    except DomainError:
        pass


def _save(space: Space, actor: Actor, step: Step) -> None:
    draft = Draft(step.text, step.kind, step.path, source=f"Ana {step.which}", rationale="so")
    save_memory(space=space, actor=actor, draft=draft)


def _checkpoint(space: Space, actor: Actor, step: Step) -> None:
    fields = CheckpointFields(task=step.path, goal=step.text, next_step="Go on.")
    checkpoint_task(space=space, actor=actor, fields=fields)


def _notice(space: Space, actor: Actor, step: Step) -> None:
    notice_expired(space)
    notice_unsourced(space)


NEW: dict[str, Callable[[Space, Actor, Step], None]] = {
    "save": _save, "checkpoint": _checkpoint, "notice": _notice,
}  # fmt: skip
OLD: dict[str, Callable[[dict[str, Any], Step, int], object]] = {
    "revise": lambda who, step, _: revise_memory(**who, revision=Revision(step.text)),
    "forget": lambda who, *_: forget_memory(**who),
    "restore": lambda who, *_: restore_memory(**who),
    "erase": lambda who, *_: erase_memory(**who),
    "erase_version": lambda who, _, number: erase_version(**who, number=number),
    "restore_version": lambda who, _, number: restore_version(**who, number=number),
    "confirm": lambda who, *_: confirm_memory(**who),
}


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, min_size=1, max_size=14))
def test_any_history_survives_the_round_trip(steps: list[Step]) -> None:
    space, other = make_space(), make_space()
    for step in steps:
        perform(space, step)
    before = exported(space)

    transfer = imported(other, before)
    again = imported(other, before)

    assert transfer.stage == "done"
    assert comparable(exported(other)) == comparable(before)
    assert set(verdicts(transfer).values()) <= {"new"}
    assert set(verdicts(again).values()) <= {"here"}


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, min_size=1, max_size=8), st.lists(STEPS, max_size=8))
def test_an_older_file_neither_undoes_nor_revives_anything(
    steps: list[Step], later: list[Step]
) -> None:
    space = make_space()
    for step in steps:
        perform(space, step)
    file = exported(space)
    for step in later:
        perform(space, step)
    before = comparable(exported(space))

    imported(space, file)

    assert comparable(exported(space)) == before


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, min_size=1, max_size=8), st.lists(STEPS, max_size=8))
def test_a_newer_file_brings_every_text_that_came_later(
    steps: list[Step], later: list[Step]
) -> None:
    space, copy = make_space(), make_space()
    for step in steps:
        perform(space, step)
    imported(copy, exported(space))
    for step in later:
        perform(space, step)
    file = exported(space)

    transfer = imported(copy, file)

    # What the person erased there is still here: erasing is for each space to decide.
    found = verdicts(transfer)
    assert set(found.values()) <= {"new", "updated", "here", "kept", "forgotten"}
    with inside(copy):
        copied = MemoryVersion.objects.filter(space=copy)
        here = set(copied.values_list("memory_id", "number", "content_sha256"))
    ids = {memory_id for memory_id, _number, _sha256 in here}
    with inside(space):
        said = {
            (version.memory_id, version.number, version.content_sha256)
            for version in MemoryVersion.objects.filter(space=space, erased_at=None)
            # What another memory says here already is here under that one's id.
            if found[str(version.memory_id)] in {"new", "updated"}
            or (found[str(version.memory_id)] == "here" and version.memory_id in ids)
        }
    assert said <= here
