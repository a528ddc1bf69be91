"""Vectors: written for every text, never in the way of a save."""

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from memories import tasks
from memories.embedders.base import Vectors
from memories.queries.meaning import progress
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import confirm_memory, erase_memory, restore_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.embedding import (
    Vectoriser,
    embed_missing,
    forget_vectors,
    lacks_vectors,
    vectorisers,
)
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.models import Space
from spaces.services.closing import close_space
from tests.factories import agent_of, make_actor, make_memory, make_space
from tests.memories.meaning import vectors


def counting(key: str = "test@1/3/x") -> tuple[Vectoriser, list[str]]:
    """Return a way to make vectors that notes what it was given: no model is needed here."""
    seen: list[str] = []

    def embed(texts: list[str]) -> Vectors:
        seen.extend(texts)
        return np.ones((len(texts), 3), np.float32)

    return Vectoriser(key, embed), seen  # type: ignore[arg-type]


def test_a_new_memory_lacks_a_vector_until_it_is_written(space: Space) -> None:
    make_memory(space)
    vectoriser, seen = counting()

    assert lacks_vectors(space, vectoriser)
    written = embed_missing(space, vectoriser)

    assert (written.written, written.has_more) == (1, False)
    assert seen == ["We deploy on Fridays at noon."]
    assert not lacks_vectors(space, vectoriser)
    assert embed_missing(space, vectoriser).written == 0


def test_a_changed_text_lacks_a_vector_again_and_gets_one_in_its_place(space: Space) -> None:
    memory = make_memory(space)
    vectoriser, seen = counting()
    embed_missing(space, vectoriser)

    revise_memory(
        space=space,
        actor=agent_of(space),
        memory_id=memory.pk,
        revision=Revision(content="We deploy on Mondays at noon."),
    )

    assert lacks_vectors(space, vectoriser)
    embed_missing(space, vectoriser)
    assert seen[-1] == "We deploy on Mondays at noon."
    assert vectors(space) == 1


def test_a_new_date_or_path_leaves_the_vector_untouched(space: Space) -> None:
    memory = make_memory(space, kind="observation")
    vectoriser, _ = counting()
    embed_missing(space, vectoriser)

    for revision in (Revision(expires_at="2999-01-01"), Revision(path="Elsewhere")):
        revise_memory(space=space, actor=agent_of(space), memory_id=memory.pk, revision=revision)

    assert not lacks_vectors(space, vectoriser)


def test_every_write_path_leaves_a_text_that_gets_a_vector(space: Space) -> None:
    vectoriser, seen = counting()
    person = make_actor(space.owner)
    memory = make_memory(space, "Written by an agent today.")
    make_memory(space, "Written by the person today.", actor=person)
    checkpoint_task(
        space=space, actor=agent_of(space), fields=CheckpointFields("Task", "goal", "next")
    )
    forget_memory(space=space, actor=person, memory_id=memory.pk)
    held = make_memory(space, "Written by an agent today.")
    embed_missing(space, vectoriser)
    before = list(seen)

    confirm_memory(space=space, actor=person, memory_id=held.pk)
    embed_missing(space, vectoriser)

    assert "Written by an agent today." not in before
    assert "Written by the person today." in before
    assert any(text.startswith("Task: Task") for text in before)
    assert "Written by an agent today." in seen


def test_what_was_forgotten_waits_and_what_is_restored_gets_a_vector(space: Space) -> None:
    memory = make_memory(space)
    person = make_actor(space.owner)
    forget_memory(space=space, actor=person, memory_id=memory.pk)
    vectoriser, seen = counting()

    assert not lacks_vectors(space, vectoriser)
    restore_memory(space=space, actor=person, memory_id=memory.pk)

    embed_missing(space, vectoriser)
    assert len(seen) == 1


def test_erasing_a_memory_erases_its_vectors(space: Space) -> None:
    memory = make_memory(space)
    vectoriser, _ = counting()
    embed_missing(space, vectoriser)

    erase_memory(space=space, actor=make_actor(space.owner), memory_id=memory.pk)

    assert vectors(space) == 0


def test_a_large_backlog_is_worked_off_in_batches_newest_first(space: Space) -> None:
    for number in range(5):
        make_memory(space, f"Fact number {number} of the backlog.")
    vectoriser, seen = counting()

    first = embed_missing(space, vectoriser, at_most=2)

    assert (first.written, first.has_more) == (2, True)
    assert seen == ["Fact number 4 of the backlog.", "Fact number 3 of the backlog."]


def test_vectors_of_two_models_stand_side_by_side_until_one_is_cleared(space: Space) -> None:
    make_memory(space)
    old, _ = counting("old@1/3/x")
    new, _ = counting("new@1/3/x")
    embed_missing(space, old)
    embed_missing(space, new)

    assert vectors(space) == 2
    assert forget_vectors(space, besides=["new@1/3/x"]) == 1
    assert not lacks_vectors(space, new)


@pytest.mark.django_db(transaction=True)
def test_a_space_that_is_deleted_while_the_model_works_ends_the_job_cleanly() -> None:
    space = make_space()
    make_memory(space)

    def embed(texts: list[str]) -> Vectors:
        close_space(Space.objects.get(pk=space.pk))
        return np.ones((len(texts), 3), np.float32)

    written = embed_missing(space, Vectoriser("test@1/3/x", embed))  # type: ignore[arg-type]

    assert written.written == 1
    assert not Space.objects.filter(pk=space.pk).exists()


def test_a_text_that_changes_while_the_model_works_still_lacks_its_vector(space: Space) -> None:
    memory = make_memory(space)

    def embed(texts: list[str]) -> Vectors:
        revise_memory(
            space=space,
            actor=agent_of(space),
            memory_id=memory.pk,
            revision=Revision(content="We deploy on Mondays at noon."),
        )
        return np.ones((len(texts), 3), np.float32)

    slow = Vectoriser("test@1/3/x", embed)  # type: ignore[arg-type]
    embed_missing(space, slow)

    assert lacks_vectors(space, slow)


def test_the_job_works_a_space_off_and_the_sweep_finds_what_was_lost(
    space: Space, settings: Settings, eager_jobs: None
) -> None:
    settings.EMBEDDER = "auto"
    for number in range(3):
        make_memory(space, f"Fact number {number} of the space.")

    tasks.embed_missing_everywhere()

    assert vectors(space) == 3 * len(vectorisers())
    assert progress(space).percent == 100


def test_the_job_of_a_space_that_is_gone_does_nothing(db: None, settings: Settings) -> None:
    settings.EMBEDDER = "auto"

    tasks.embed_missing_in("9b2f6a0e-6f2c-4f0e-8f43-1f5f6ad1c001")


def test_a_save_computes_no_vector(space: Space, settings: Settings) -> None:
    settings.EMBEDDER = "auto"

    with CaptureQueriesContext(connection) as queries:
        make_memory(space)

    assert not [each for each in queries.captured_queries if "memoryvector" in each["sql"]]
