"""kill -9 of each process of the embedded product under load: nothing acknowledged is lost."""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.load import Load
from tests.journeys.product import Product, data_folder, free_port, start
from tests.tally import Tally

pytestmark = [pytest.mark.product, pytest.mark.faults]

# What the supervisor says of the death, so that a person knows which part it was.
# PostgreSQL has processes that it calls workers too, and mends the loss of one by itself.
PARTS = {
    "web server": ("uvicorn", "The web server ended by itself (signal 9)"),
    "worker": ("--app=brain worker", "The worker ended by itself (signal 9)"),
    "scheduler": ("--app=brain beat", "The scheduler ended by itself (signal 9)"),
    "database": ("postgres", "The database ended by itself"),
    "broker": ("valkey-server", "The valkey ended by itself (signal 9)"),
}
ENOUGH = 40


def process_of(product: Product, part: str) -> int:
    """Return the process that does this part's work; of the database, the one that leads."""
    word = PARTS[part][0]
    if part == "database":
        return int((product.root / "pgdata" / "postmaster.pid").read_text().split("\n", 1)[0])
    return next(pid for pid in product.processes() if word in command_of(pid))


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def load_on(product: Product, name: str) -> Load:
    space = product.manage("create_space", f"{name}@example.org", name)
    scopes = ("--scope", "auth:read", "--scope", "auth:write")
    key = product.manage("create_api_key", space["id"], *scopes)["key"]
    return Load([space["url"]], key, name)


async def killed_under_load(product: Product, load: Load, kill: Callable[[], None]) -> int:
    """Kill while writers write; return the exit code with which the product ended."""

    async def killer() -> None:
        await load.reach(ENOUGH)
        kill()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(killer())
        tasks.create_task(load.write_until(lambda: product.supervisor.poll() is not None))
    return int(product.supervisor.wait(60))


@pytest.mark.parametrize("part", PARTS)
async def test_a_kill_of_one_part_stops_the_product_in_words_and_loses_nothing(
    part: str, runs: Tally
) -> None:
    with data_folder() as root:
        product = await asyncio.to_thread(start, root, free_port())
        load = await asyncio.to_thread(load_on, product, part.replace(" ", "-"))
        victim = process_of(product, part)

        code = await killed_under_load(product, load, lambda: os.kill(victim, signal.SIGKILL))
        left = product.processes()
        said = product.output()
        again = await asyncio.to_thread(start, root, product.port)
        try:
            missing = await asyncio.to_thread(load.missing)
            await write_some(load)
        finally:
            exit_code = await asyncio.to_thread(again.stop)
        load.count(runs, missing)

        assert code == 1
        assert PARTS[part][1] in said
        assert left == []
        assert missing == []
        assert exit_code == 0


async def write_some(load: Load) -> None:
    """Show that it works again."""
    before = len(load.acknowledged)
    await load.write_until(lambda: len(load.acknowledged) >= before + 10)


async def test_three_kills_of_everything_in_a_row_lose_nothing(runs: Tally) -> None:
    with data_folder() as root:
        port = free_port()
        product = await asyncio.to_thread(start, root, port)
        load = await asyncio.to_thread(load_on, product, "everything")
        for number in range(1, 4):
            await killed_at(product, load, number * ENOUGH)
            product = await asyncio.to_thread(start, root, port)
            runs.add()
        try:
            missing = await asyncio.to_thread(load.missing)
        finally:
            await asyncio.to_thread(product.stop)
        runs.add(len(load.acknowledged), "acknowledged writes")
        runs.add(len(missing), "lost writes")

        assert missing == []


async def killed_at(product: Product, load: Load, promises: int) -> None:
    """Kill every process once so many writes were acknowledged."""

    async def killer() -> None:
        await load.reach(promises)
        await asyncio.to_thread(product.kill_everything)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(killer())
        tasks.create_task(load.write_until(lambda: product.supervisor.poll() is not None))
