"""Measure the models that are installed: python -m bench.embedders [--threads N] [NAME ...].

Each is loaded in a process of its own. Run it on an idle machine.
"""

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TypeVar

from memories.embedders.options import Options
from memories.embedders.providers import E5, USE, absent, load

Argument = TypeVar("Argument")
QUESTIONS = [
    f"{verb} {thing} {when}?"
    for verb in ("Where do we keep", "Quem decidiu sobre", "Why did we change")
    for thing in ("the release notes", "o contrato da gráfica", "the backup schedule")
    for when in ("for the new customers", "no mês passado", "after the last incident")
]
# About thirty words each, as a memory has.
MEMORIES = [
    f"Decision {number}: {QUESTIONS[number % 27][:-1].lower()}; we agreed to keep it as it is "
    f"until the review in week {number % 52}, porque a equipe pediu tempo para testar a mudança."
    for number in range(200)
]


@dataclass(frozen=True, slots=True)
class Figures:
    key: str
    seconds_to_load: float
    megabytes_before: float
    megabytes: float
    question_ms: float
    slow_question_ms: float
    question_cpu_ms: float
    memories_per_second: float

    def __str__(self) -> str:
        """Return one row of the table."""
        return (
            f"| {self.key} | {self.seconds_to_load:.2f} s | {self.megabytes_before:.0f} -> "
            f"{self.megabytes:.0f} MB | {self.question_ms:.1f} ms | {self.slow_question_ms:.1f} ms "
            f"| {self.question_cpu_ms:.1f} ms | {self.memories_per_second:.0f} |"
        )


def measure(name: str, threads: int) -> Figures:
    """Load the model in this process and time it."""
    before = _megabytes()
    started = time.perf_counter()
    embedder = load(name, Options(threads=threads))
    embedder.embed_query("ready")
    loaded = time.perf_counter() - started
    busy = time.process_time()
    times = sorted(_seconds(embedder.embed_query, question) for question in QUESTIONS * 4)
    busy = time.process_time() - busy
    # The best of three, since whatever else runs can only make it slower.
    batch = min(_seconds(embedder.embed_documents, MEMORIES) for _ in range(3))
    return Figures(
        key=embedder.key,
        seconds_to_load=loaded,
        megabytes_before=before,
        megabytes=_megabytes(),
        question_ms=statistics.median(times) * 1000,
        slow_question_ms=times[int(len(times) * 0.95)] * 1000,
        question_cpu_ms=busy / len(times) * 1000,
        memories_per_second=len(MEMORIES) / batch,
    )


def _seconds(call: Callable[[Argument], object], argument: Argument) -> float:
    started = time.perf_counter()
    call(argument)
    return time.perf_counter() - started


def _megabytes() -> float:
    """Return the most memory that this process ever held."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the models that are installed.")
    parser.add_argument("names", nargs="*", default=[E5, USE])
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    print("| model | load | memory | question p50 | question p95 | CPU per question | memories/s |")
    print("|---|---|---|---|---|---|---|")
    for name in arguments.names:
        if sentence := absent(name):
            print(sentence)
            continue
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
            print(fresh.submit(measure, name, arguments.threads).result(), flush=True)


if __name__ == "__main__":
    main()
