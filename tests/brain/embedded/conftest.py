"""A data folder of its own for each test, gone with its server afterwards."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brain.embedded.cluster import server_is_running
from brain.embedded.folder import DataFolder
from brain.embedded.postgres import EmbeddedPostgres
from tests.cluster import new_folder, remove

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder() -> Iterator[DataFolder]:
    made = new_folder()
    yield made
    postgres = EmbeddedPostgres(made, durable=False)
    if server_is_running(made):
        postgres.acquire()
    remove(made, postgres)


@pytest.fixture
def postgres(folder: DataFolder) -> Iterator[EmbeddedPostgres]:
    made = EmbeddedPostgres(folder, durable=False)
    yield made
    made.release()


@pytest.fixture
def run_python() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that runs a program text in a process of its own."""
    started: list[subprocess.Popen[str]] = []

    def start(text: str, *arguments: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", text, *map(str, arguments)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
