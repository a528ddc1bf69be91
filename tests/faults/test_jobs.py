"""Background work survives what happens to workers, to the broker and to spaces.

Workers, PostgreSQL and Valkey are the real ones; only the embedding model is played, since it can
hold a worker at the very moment that a test is about.
"""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from brain.jobs.models import JobRun
from brain.lib import hints
from memories.models import Memory, MemoryVector, Question, ReviewItem
from memories.services.queueing import ask_for_vectors
from memories.tasks import embed_missing_in, look_through
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import close_space
from tests.factories import make_memory, make_space
from tests.faults.workers import wait_until, worker, worker_and_scheduler
from tests.memories.embedders.endpoint import Answer, PlayedEndpoint, Received, vectors
from tests.settings import VALKEY

pytestmark = pytest.mark.django_db(transaction=True)
# Memories of one batch (memories/services/embedding.py).
BATCH = 32


class Gate:
    """A model that stops at the last batch: it answers that one only when the test lets it."""

    def __init__(self, model: PlayedEndpoint) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()
        model.answers = [self] * 100

    def __call__(self, received: Received) -> Answer:
        # The newest come first.
        if any(text.startswith("Room 0 ") for text in received.texts):
            self.reached.set()
            self.open.wait(60)
        return vectors(received)


@pytest.fixture
def space(transactional_db: None) -> Space:
    return make_space()


@pytest.fixture
def model() -> Iterator[PlayedEndpoint]:
    with PlayedEndpoint() as endpoint:
        yield endpoint


def remember(space: Space, number: int) -> None:
    for each in range(number):
        make_memory(space, f"Room {each} of the old house has {each + 2} windows.")


def embedded(space: Space) -> int:
    """Return how many memories have a whole vector of their present text."""
    with inside(space):
        found = MemoryVector.objects.filter(space=space).select_related("memory")
        whole = [
            each
            for each in found
            if each.content_sha256 == each.memory.content_sha256 and len(each.embedding) == 3
        ]
        assert len(whole) == len(found)
    return len(whole)


def compared(space: Space) -> int:
    with inside(space):
        return Memory.objects.filter(space=space).exclude(compared_version=None).count()


def questions(space: Space) -> int:
    with inside(space):
        return ReviewItem.objects.filter(space=space, question=Question.DISAGREEMENT).count()


def waits_for_the_memories() -> bool:
    with connection.cursor() as cursor:
        # Not pg_stat_activity: within one transaction it stays as it was first asked.
        cursor.execute(
            "select 1 from pg_locks where not granted and relation = 'memories_memory'::regclass"
        )
        return cursor.fetchone() is not None


def test_a_worker_killed_while_it_embeds_leaves_whole_batches_and_the_next_one_finishes(
    space: Space, model: PlayedEndpoint, tmp_path: Path
) -> None:
    remember(space, 50)
    assert hints.flush()
    gate = Gate(model)

    with worker(tmp_path, embedder_url=model.url) as first:
        assert gate.reached.wait(120)
        first.kill()
    half = embedded(space)
    gate.open.set()
    with worker_and_scheduler(tmp_path, embedder_url=model.url):
        wait_until(lambda: embedded(space) == 50, "every memory has its vector")
        wait_until(lambda: compared(space) == 50, "every memory was compared")

    assert half == BATCH


def test_a_worker_killed_while_it_compares_leaves_no_question_half_asked(
    space: Space, model: PlayedEndpoint, tmp_path: Path
) -> None:
    make_memory(space, "The release train leaves on Fridays at noon.", path="Trains")
    make_memory(space, "The release train leaves on Mondays at noon.", path="Trains")
    remember(space, 5)
    with inside(space):
        # As it was before anything was compared, whatever a save itself has asked.
        ReviewItem.objects.filter(space=space).delete()
        Memory.objects.filter(space=space).update(compared_version=None)
    with inside(space), connection.cursor() as cursor:
        # Questions can be written, but not that a memory was compared, which comes last.
        cursor.execute("lock table memories_memory in share mode")
        with worker(tmp_path, embedder_url=model.url) as first:
            wait_until(waits_for_the_memories, "the worker has come to its last write")
            first.kill()
    half = questions(space), compared(space)

    with worker_and_scheduler(tmp_path, embedder_url=model.url):
        wait_until(lambda: compared(space) == 7, "every memory was compared")

    assert half == (0, 0)
    assert questions(space) == 1


def test_saves_go_on_without_the_broker_and_the_work_is_done_afterwards(
    space: Space, model: PlayedEndpoint, tmp_path: Path
) -> None:
    with worker_and_scheduler(tmp_path, embedder_url=model.url) as running:
        remember(space, 1)
        wait_until(lambda: embedded(space) == 1, "the worker works")
        assert VALKEY.child is not None
        VALKEY.child.process.kill()
        VALKEY.child.process.wait(10)
        try:
            remember(space, 10)
            saved = compared(space), embedded(space)
        finally:
            VALKEY.start()
        wait_until(lambda: embedded(space) == 10, "what was saved meanwhile has its vectors")
        wait_until(lambda: compared(space) == 10, "and was compared")

        assert running.process.poll() is None
    with inside(space):
        assert Memory.objects.filter(space=space).count() == 10
    assert saved[1] == 1


def test_a_job_that_is_delivered_twice_at_once_has_one_effect(
    space: Space, model: PlayedEndpoint, tmp_path: Path
) -> None:
    remember(space, 20)
    make_memory(space, "The release train leaves on Fridays at noon.", path="Trains")
    make_memory(space, "The release train leaves on Mondays at noon.", path="Trains")
    assert hints.flush()
    VALKEY.ask("FLUSHALL")
    both = threading.Barrier(2)

    def together(received: Received) -> Answer:
        both.wait(60)
        return vectors(received)

    model.answers = [together, together]
    for job in (embed_missing_in, look_through):
        for _ in range(2):
            job.apply_async(args=(str(space.pk),), task_id=f"twice-{job.name}")
    # Two at once may leave each other something, which the next sweep takes up.
    with worker_and_scheduler(tmp_path, embedder_url=model.url) as running:
        wait_until(lambda: compared(space) == 22, "every memory was compared")
        wait_until(
            lambda: JobRun.objects.filter(task_id__startswith="twice", state="done").count() == 2,
            "both jobs are written down as done",
        )

        assert not both.broken
        assert "ERROR" not in running.said()
    assert embedded(space) == 22
    assert questions(space) == 1


def test_a_space_that_is_deleted_while_its_job_runs_stops_it_and_nothing_else(
    space: Space, model: PlayedEndpoint, tmp_path: Path
) -> None:
    remember(space, 40)
    other, key = make_space(), space.pk
    assert hints.flush()
    VALKEY.ask("FLUSHALL")
    gate = Gate(model)
    embed_missing_in.delay(str(key))

    with worker(tmp_path, embedder_url=model.url) as running:
        assert gate.reached.wait(120)
        close_space(space)
        gate.open.set()
        make_memory(other)
        ask_for_vectors(other.pk)
        wait_until(lambda: embedded(other) == 1, "the worker goes on with another space")
        wait_until(lambda: compared(other) == 1, "to the end")

        assert running.process.poll() is None
        assert "ERROR" not in running.said()
    with inside(key):
        assert not MemoryVector.objects.filter(space=key).exists()
    # Jobs that were queued before it went find nothing to do.
    assert not JobRun.objects.filter(space=key).exclude(state="done").exists()
