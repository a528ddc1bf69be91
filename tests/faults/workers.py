"""Real workers and schedulers on the test's own database and Valkey, to be killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import connection

from brain.embedded import commands

PATIENCE = 120


@dataclass(frozen=True, slots=True)
class Started:
    """One process of ours; `log` is what it said."""

    process: "subprocess.Popen[bytes]"
    log: Path

    def kill(self) -> None:
        """End it as a power cut does: it gets no chance to tidy up."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def said(self) -> str:
        return self.log.read_text(errors="replace")


@contextmanager
def worker(folder: Path, *, embedder_url: str) -> Iterator[Started]:
    """Start a worker as the product does, and end it afterwards unless somebody killed it."""
    with _started(commands.worker(), folder / "worker.log", embedder_url) as process:
        yield process


@contextmanager
def scheduler(folder: Path, *, embedder_url: str) -> Iterator[Started]:
    """Start a scheduler whose sweeps come every second."""
    command = [*commands.beat()[:-1], f"--schedule={folder / 'beat-schedule'}"]
    with _started(command, folder / "scheduler.log", embedder_url) as process:
        yield process


@contextmanager
def worker_and_scheduler(folder: Path, *, embedder_url: str) -> Iterator[Started]:
    """Start both as the product does; the worker is given, the sweeps bring back what it left.

    A worker alone may leave something for good: what a killed one's connection still holds, until
    PostgreSQL notices the death, it passes over.
    """
    with (
        worker(folder, embedder_url=embedder_url) as process,
        scheduler(folder, embedder_url=embedder_url),
    ):
        yield process


@contextmanager
def _started(command: Sequence[str], log: Path, embedder_url: str) -> Iterator[Started]:
    with log.open("ab") as output:
        started = Started(_start(command, output, embedder_url), log)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.process.terminate()
            try:
                started.process.wait(20)
            except subprocess.TimeoutExpired:
                started.kill()
        # Shown only when the test fails.
        sys.stdout.write(started.said())


def _start(
    command: Sequence[str], output: IO[bytes], embedder_url: str
) -> "subprocess.Popen[bytes]":
    kept = ("PATH", "HOME", "LANG", "PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR")
    database = {name: connection.settings_dict[name] for name in ("HOST", "NAME", "PASSWORD")}
    return subprocess.Popen(
        command,
        cwd=settings.BASE_DIR,
        env={name: os.environ[name] for name in kept if name in os.environ}
        | {
            "DJANGO_SETTINGS_MODULE": "tests.faults.worker_settings",
            "BRAIN_DATA_DIR": str(settings.DATA_DIR),
            "BRAIN_EMBEDDER": "http",
            "BRAIN_EMBEDDER_URL": embedder_url,
            "BRAIN_EMBEDDER_MODEL": "played",
            "BRAIN_EMBEDDER_DIMENSIONS": "3",
            "BRAIN_DUPLICATES_EMBEDDER": "same",
            "PYTHONUNBUFFERED": "1",
            "WORKER_DATABASE": json.dumps(database),
        },
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Return once the condition holds; fail with `what` when it does not in good time."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"It did not come to this: {what}."
        time.sleep(0.05)
