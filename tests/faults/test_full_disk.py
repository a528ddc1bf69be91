"""A disk that is full: the log goes nowhere, the database refuses in words, nothing is lost."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from tests.faults.load import Load
from tests.faults.test_kills import load_on
from tests.journeys.product import (
    Product,
    _wait_until_it_answers,
    data_folder,
    environment,
    free_port,
)
from tests.tally import Tally

pytestmark = [pytest.mark.product, pytest.mark.faults]


@contextmanager
def started_into(output: Path) -> Iterator[Product]:
    """Start the product with its log in a file that takes nothing."""
    with data_folder() as root, output.open("wb") as log:
        port = free_port()
        supervisor = subprocess.Popen(
            [sys.executable, "manage.py", "up"], cwd=settings.BASE_DIR,
            env=environment(root, port) | {"BRAIN_LOG_LEVEL": "INFO"}, stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        product = Product(root, port, Path(os.devnull), supervisor)
        try:
            _wait_until_it_answers(product)
            yield product
        finally:
            if supervisor.poll() is None:
                product.stop()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="There is no /dev/full here.")
async def test_a_log_that_takes_nothing_stops_no_write(runs: Tally) -> None:
    def run() -> tuple[Load, list[str]]:
        with started_into(Path("/dev/full")) as product:
            load = load_on(product, "full")
            asyncio.run(load.write_until(lambda: len(load.acknowledged) >= 30))
            return load, load.missing()

    load, missing = await asyncio.to_thread(run)
    load.count(runs, missing)

    assert missing == []
    assert load.failures == {}
