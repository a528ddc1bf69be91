"""Search and save in a small, a middle and the large space, through the product's services.

Import it only where Django is set up.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from uuid import UUID

from django.db import connection
from django.utils import timezone

from accounts.actors import Actor
from bench.growth.measuring import backend_ms
from memories.queries.arms import EXACT, by_index
from memories.queries.candidates import (
    ARM,
    INDEX_REACH,
    REACH,
    index_effort,
    prepare_index,
    vector_text,
)
from memories.queries.meaning import question_of
from memories.queries.search import search
from memories.queries.sizes import vectors_in_index
from memories.queries.words import Filters
from memories.services.saving import Draft, save_memory
from spaces.isolation import inside
from spaces.models import Space

Nearest = dict[UUID, float]
WARM = 10
DEPTH = 10
HEAD = "| call | memories in the space | p50 ms | p95 ms | own CPU ms | PostgreSQL CPU ms |"


def print_searches(spaces: dict[str, tuple[UUID, int]], questions: Sequence[str]) -> None:
    for sort, (space_id, size) in spaces.items():
        space = Space.objects.get(pk=space_id)
        calls = [partial(search, space=space, query=question) for question in questions]
        _print(f"search, {sort}", size, calls)


def print_saves(spaces: dict[str, tuple[UUID, int]], texts: Sequence[str]) -> None:
    """Save other texts into each of the spaces."""
    each = len(texts) // len(spaces)
    for number, (sort, (space_id, size)) in enumerate(spaces.items()):
        space = Space.objects.select_related("owner").get(pk=space_id)
        own = texts[number * each : (number + 1) * each]
        _print(f"save, {sort}", size, [partial(save, space, text) for text in own])


def save(space: Space, text: str) -> None:
    actor = Actor(space.owner, "mcp", client_key="app:bench", client_name="Bench")
    draft = Draft(text, "observation", "Bench.New", source="bench", rationale="bench")
    save_memory(space=space, actor=actor, draft=draft)


def _print(name: str, size: int, calls: Sequence[Callable[[], object]]) -> None:
    for call in calls[:WARM]:
        call()
    process = connection.connection.info.backend_pid
    waits, own, server = [], [], []
    for call in calls[WARM:]:
        started, worked, helped = time.perf_counter(), time.thread_time(), backend_ms(process)
        call()
        waits.append(1000 * (time.perf_counter() - started))
        own.append(1000 * (time.thread_time() - worked))
        server.append(backend_ms(process) - helped)
    figures = [statistics.median(waits), statistics.quantiles(waits, n=20)[-1]]
    figures += [statistics.mean(own), statistics.mean(server)]
    print(f"| {name} | {size:,} | {' | '.join(f'{each:.1f}' for each in figures)} |", flush=True)


def print_nearest(spaces: dict[str, tuple[UUID, int]], questions: Sequence[str]) -> None:
    """Compare the index for vectors with exact search, in CPU of PostgreSQL, and by recall."""
    print("\n| nearest vectors | memories in the space | exact CPU ms | index CPU ms | "
          "index recall@10 | cosine of the exact ten | of the index's |")  # fmt: skip
    print("|---|---|---|---|---|---|---|")
    for sort, (space_id, size) in spaces.items():
        space = Space.objects.get(pk=space_id)
        exact, exact_ms = _nearest(space, questions)
        found, index_ms = _nearest(space, questions, size=size)
        hits = sum(len(one.keys() & two.keys()) for one, two in zip(exact, found, strict=True))
        recall = hits / sum(map(len, exact))
        print(f"| {sort} | {size:,} | {exact_ms:.1f} | {index_ms:.1f} | {recall:.3f} "
              f"| {_cosine(exact):.4f} | {_cosine(found):.4f} |", flush=True)  # fmt: skip


def _nearest(
    space: Space, questions: Sequence[str], *, size: int = 0
) -> tuple[list[Nearest], float]:
    """Return the nearest of each question with their cosines, and the CPU milliseconds for one.

    By the index where the size of the space is given.
    """
    answers, spent = [], []
    with inside(space), connection.cursor() as cursor:
        process = connection.connection.info.backend_pid
        for text in questions:
            question = question_of(text, by_both=False)
            assert question is not None
            reading, arm = question.first, EXACT
            if size:
                indexed = vectors_in_index(reading.model_key) or 0
                prepare_index(cursor, effort=index_effort(indexed, size=size))
                arm = by_index(len(reading.vector))
            values = Filters().values(space, now=timezone.now()) | {
                "vector": vector_text(reading.vector),
                "model_key": reading.model_key,
                "reach": INDEX_REACH if size else REACH,
                "arm": ARM,
            }
            before = backend_ms(process)
            cursor.execute(
                f"with {arm} select id, cosine from nearest order by cosine desc limit {DEPTH}",  # noqa: S608
                values,  # type: ignore[arg-type]
            )
            answers.append(dict(cursor.fetchall()))
            spent.append(backend_ms(process) - before)
    return answers, statistics.median(spent)


def _cosine(answers: Sequence[Nearest]) -> float:
    return statistics.mean(cosine for nearest in answers for cosine in nearest.values())
