"""Two web servers and two workers on one database and one broker, while parts of it fall over."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest

from tests.faults.deployment import Deployment, deployed
from tests.faults.load import Load
from tests.mcp_gateway.clients import rpc
from tests.tally import Tally

pytestmark = [pytest.mark.product, pytest.mark.faults]
# Sentences that an agent may hear while the database is away; nothing else, and no traceback.
TRY_AGAIN = "Something went wrong here and nothing was written. Try again"


@pytest.fixture(scope="module")
def deployment() -> Iterator[Deployment]:
    with deployed() as running:
        yield running


def load_on(deployment: Deployment, name: str) -> Load:
    space = json.loads(deployment.manage("create_space", f"{name}@example.org", name, "--json"))
    scopes = ("--scope", "auth:read", "--scope", "auth:write")
    key = json.loads(deployment.manage("create_api_key", space["id"], *scopes, "--json"))["key"]
    urls = [f"{deployment.url(number)}/mcp/{space['id']}" for number in (0, 1)]
    return Load(urls, key, name)


@asynccontextmanager
async def under_load(deployment: Deployment, name: str) -> AsyncIterator[Load]:
    """Write through both servers while something happens, then show that all of it is there."""
    load = await asyncio.to_thread(load_on, deployment, name)
    is_over = False
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(load.write_until(lambda: is_over))
        try:
            await load.reach(20)
            yield load
            await load.go_on()
        finally:
            is_over = True


async def happens(
    deployment: Deployment, name: str, runs: Tally, *steps: Callable[[], object]
) -> Load:
    async with under_load(deployment, name) as load:
        for step in steps:
            await asyncio.to_thread(step)
    missing = await asyncio.to_thread(load.missing)
    load.count(runs, missing)
    assert missing == []
    return load


async def test_one_web_server_is_killed_and_the_other_goes_on(
    deployment: Deployment, runs: Tally
) -> None:
    load = await happens(
        deployment,
        "web",
        runs,
        lambda: deployment.kill("web0"),
        lambda: deployment.start_web(0),
    )

    assert set(load.failures) <= {"ConnectError", "ReadError", "RemoteProtocolError"}


async def test_workers_are_killed_and_no_write_notices(deployment: Deployment, runs: Tally) -> None:
    load = await happens(
        deployment,
        "workers",
        runs,
        lambda: deployment.kill("worker0"),
        lambda: deployment.kill("worker1"),
        lambda: deployment.start_worker(0),
        lambda: deployment.start_worker(1),
    )

    assert load.failures == {}


async def test_the_broker_is_killed_and_writes_go_on(deployment: Deployment, runs: Tally) -> None:
    async with under_load(deployment, "broker") as load:
        deployment.kill("broker")
        await load.go_on(more=40)
        deployment.start_broker()
    missing = await asyncio.to_thread(load.missing)
    load.count(runs, missing)

    assert missing == []
    assert load.failures == {}


async def test_the_database_restarts_while_both_serve(deployment: Deployment, runs: Tally) -> None:
    """Stopped and started as an upgrade does: refusals in words, then it goes on by itself."""
    load = await happens(deployment, "restart", runs, deployment.restart_database)

    assert_clear(deployment, load)


async def test_the_database_is_killed_while_both_serve(deployment: Deployment, runs: Tally) -> None:
    load = await happens(
        deployment, "database", runs, deployment.kill_database, deployment.restart_database
    )

    assert_clear(deployment, load)


def assert_clear(deployment: Deployment, load: Load) -> None:
    """Check that whoever was refused heard a sentence, and neither side was told a text."""
    assert set(load.failures) <= {"refused", "500", "503"}
    assert all(sentence.startswith(TRY_AGAIN) for sentence in load.sentences)
    for name in ("web0", "web1"):
        assert "noted fact number" not in deployment.log(name)


async def test_the_database_stands_still_and_comes_back(
    deployment: Deployment, runs: Tally
) -> None:
    """Frozen for some seconds, as a machine that swaps: whoever waits gets the answer later."""

    async def freeze() -> None:
        process = deployment.database_process()
        os.kill(process, signal.SIGSTOP)
        await asyncio.sleep(3)
        os.kill(process, signal.SIGCONT)

    async with under_load(deployment, "frozen") as load:
        await freeze()
    missing = await asyncio.to_thread(load.missing)
    load.count(runs, missing)

    assert missing == []


async def test_the_same_fact_through_both_at_once_is_one_memory(
    deployment: Deployment, runs: Tally
) -> None:
    load = await asyncio.to_thread(load_on, deployment, "same")
    sent = {
        "content": "Both servers hear the same fact.", "kind": "observation", "path": "Faults.Same",
    }  # fmt: skip
    body = rpc("tools/call", name="save", arguments=sent)
    async with httpx.AsyncClient(headers=load.headers, timeout=60) as http:
        answers = await asyncio.gather(
            *(http.post(load.urls[number % 2], content=body) for number in range(50))
        )
    results = [answer.json()["result"]["structuredContent"] for answer in answers]
    runs.add()
    runs.add(50, "acknowledged writes")

    assert len({result["id"] for result in results}) == 1
    assert sorted(result["outcome"] for result in results) == ["created", *["refreshed"] * 49]
