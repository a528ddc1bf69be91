"""Compare exact search for vectors with the index: python -m bench.vectors --locomo FOLDER.

One space grows, alone in its index, and is measured at each size; then smaller spaces are put
beside it and measured too. The vectors are those of the built-in model for LoCoMo's texts, each
repeated with noise of its own until there are enough; the questions are LoCoMo's. Every answer
comes through the product's own statement. Times are the least of five, since others may be at
work on the machine.
"""

import argparse
import itertools
import os
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.installation import throw_away
from bench.search.sets import locomo

SIZES = (5_000, 10_000, 20_000, 30_000, 50_000, 100_000)
BESIDE = (2_000, 5_000, 10_000, 30_000)
QUESTIONS = 60
DEPTH = 10
TIMES = 5
# A copy with this much noise has a cosine of about .95 with its text, as paraphrases do.
NOISE = 0.33
Vectors = NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--beside", type=int, nargs="*", default=BESIDE)
    chosen = parser.parse_args()
    if not chosen.locomo:
        print("Nothing to measure: give --locomo the folder of the evaluation data.")
        return
    with throw_away(durable=False):
        _measure(chosen.locomo, chosen.sizes, chosen.beside)


def _measure(folder: Path, sizes: Sequence[int], beside: Sequence[int]) -> None:
    from bench.rows import superuser  # noqa: PLC0415  Django is set up now

    texts, questions = _read(folder)
    print("| vectors in the space | in the index | exact ms | index ms | index recall@10 |")
    print("|---|---|---|---|---|")
    with superuser(Path(os.environ["BRAIN_DATA_DIR"])) as connection:
        fill = _Filler(connection, texts)
        grown, before = fill.new_space(), 0
        for size in sizes:
            fill(grown, size - before)
            before = size
            _print_row(grown, size, fill.total, questions)
        for size in beside:
            space_id = fill.new_space()
            fill(space_id, size)
            _print_row(space_id, size, fill.total, questions)


def _read(folder: Path) -> tuple[Vectors, Vectors]:
    from memories.embedders.registry import search_embedder  # noqa: PLC0415

    embedder = search_embedder()
    assert embedder is not None
    corpora = list(itertools.chain.from_iterable(locomo(folder).values()))
    texts = list(dict.fromkeys(itertools.chain.from_iterable(each.texts for each in corpora)))
    questions = [question for each in corpora for question, _ in each.questions]
    chosen = random.Random(1).sample(questions, QUESTIONS)  # noqa: S311
    read = [embedder.embed_documents(texts[at : at + 32]) for at in range(0, len(texts), 32)]
    return np.concatenate(read), np.stack([embedder.embed_query(each) for each in chosen])


class _Filler:
    """Puts noisy copies of the texts' vectors into spaces, always other ones."""

    def __init__(self, connection: object, vectors: Vectors) -> None:
        self._connection = connection
        self._vectors = vectors
        self._random = np.random.default_rng(1)
        self.total = 0

    def new_space(self) -> str:
        from accounts.models import User  # noqa: PLC0415
        from spaces.models import Space  # noqa: PLC0415

        owner, _ = User.objects.get_or_create(email="bench@example.org")
        number = Space.objects.filter(owner=owner).count() + 1
        return str(Space.objects.create(owner=owner, name=f"Bench {number}").pk)

    def __call__(self, space_id: str, count: int) -> None:
        from bench.rows import fill_space  # noqa: PLC0415

        seeds = self._vectors[self._random.integers(len(self._vectors), size=count)]
        noise = self._random.standard_normal(seeds.shape).astype(np.float32)
        rows = seeds + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        texts = [f"Text {self.total + number}" for number in range(count)]
        fill_space(self._connection, space_id, texts, vectors=rows)  # type: ignore[arg-type]
        self.total += count
        self._connection.execute("vacuum analyze")  # type: ignore[attr-defined]


def _print_row(space_id: str, size: int, total: int, questions: Vectors) -> None:
    from memories.queries.arms import EXACT, by_index  # noqa: PLC0415
    from memories.queries.candidates import INDEX_REACH, REACH, index_effort  # noqa: PLC0415

    effort = index_effort(total, size=size)
    exact, exact_ms = _asked(space_id, questions, arm=EXACT, reach=REACH, effort=effort)
    indexed = by_index(questions.shape[1])
    found, index_ms = _asked(space_id, questions, arm=indexed, reach=INDEX_REACH, effort=effort)
    hits = [len(set(one) & set(two)) for one, two in zip(exact, found, strict=True)]
    recall = sum(hits) / sum(len(each) for each in exact)
    print(f"| {size:,} | {total:,} | {exact_ms:.1f} | {index_ms:.1f} | {recall:.3f} |", flush=True)


def _asked(
    space_id: str, questions: Vectors, *, arm: str, reach: int, effort: int
) -> tuple[list[list[object]], float]:
    """Return the nearest of each question, and the median of the least times."""
    from uuid import UUID  # noqa: PLC0415

    from django.db import connection  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from memories.embedders.e5.embedder import CARD  # noqa: PLC0415
    from memories.queries.candidates import ARM, prepare_index, vector_text  # noqa: PLC0415
    from memories.queries.words import Filters  # noqa: PLC0415
    from spaces.isolation import inside  # noqa: PLC0415
    from spaces.models import Space  # noqa: PLC0415

    space = Space.objects.get(pk=UUID(space_id))
    statement = f"with {arm} select id from nearest order by cosine desc"  # noqa: S608
    values = Filters().values(space, now=timezone.now())
    values |= {"model_key": CARD.key, "reach": reach, "arm": ARM}
    answers, times = [], []
    with inside(space), connection.cursor() as cursor:
        prepare_index(cursor, effort=effort)
        for question in questions:
            values["vector"] = vector_text(question)
            least = float("inf")
            for _ in range(TIMES):
                started = time.perf_counter()
                cursor.execute(statement, values)  # type: ignore[arg-type]
                rows = [row[0] for row in cursor.fetchall()]
                least = min(least, time.perf_counter() - started)
            answers.append(rows[:DEPTH])
            times.append(1000 * least)
    return answers, statistics.median(times)


if __name__ == "__main__":
    main()
