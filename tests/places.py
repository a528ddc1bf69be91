"""Data folders of their own, and commands on them as an operator runs them."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from brain.embedded.postgres import EmbeddedPostgres
from tests.cluster import new_folder, remove
from tests.journeys.product import environment

ROOT = Path(__file__).parents[1]


def manage(folder: Path, *command: str, port: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(folder, port),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def a_place() -> Iterator[Path]:
    """Return a data folder whose server runs, so that commands need not start it each time."""
    folder = new_folder()
    postgres = EmbeddedPostgres(folder, durable=False)
    postgres.acquire()
    try:
        yield folder.root
    finally:
        remove(folder, postgres)
