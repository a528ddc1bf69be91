"""Exchange every process in turn while agents write and people read through the proxy."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import httpx

from tests.faults.load import Load
from tests.mcp_gateway.clients import rpc
from tools.multi.scene import PROXY, Scene, need

# What the usual HTTP clients do with a call that did not get through.
RETRIES = 2
AFTER_EACH = 40


@dataclass
class Readers:
    """An agent that searches and a person who opens pages, with the same retries as writers."""

    scene: Scene
    answered: Counter[str] = field(default_factory=Counter)
    retried: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0

    async def read_until(self, is_over: Callable[[], bool]) -> None:
        person = self.scene.at(PROXY)
        body = rpc("tools/call", name="search", arguments={"query": "what did writer 2 note?"})
        async with (
            httpx.AsyncClient(headers=self.scene.headers(), timeout=30) as agent,
            httpx.AsyncClient(cookies=person.browser.cookies, timeout=30) as browser,
        ):
            page = f"{person.product.url}/spaces/{self.scene.space_id}/memories/"
            while not is_over():
                await self._ask("search", lambda: agent.post(self.scene.mcp(PROXY), content=body))
                await self._ask("page", lambda: browser.get(page))

    async def _ask(self, what: str, send: Callable[[], Awaitable[httpx.Response]]) -> None:
        began = time.monotonic()
        for attempt in range(RETRIES + 1):
            try:
                answer = await send()
                failure = "" if answer.is_success else str(answer.status_code)
            except httpx.TransportError as error:
                failure = type(error).__name__
            if not failure:
                self.answered[what] += 1
                self.longest = max(self.longest, time.monotonic() - began)
                return
            counted = self.failures if attempt == RETRIES else self.retried
            counted[f"{what} {failure}"] += 1
            await asyncio.sleep(0.05 * 2**attempt)


@dataclass(frozen=True, slots=True)
class Rolled:
    """What a rolling restart cost."""

    load: Load
    readers: Readers
    missing: list[str]

    def sentence(self) -> str:
        retried = self.load.retried + self.readers.retried
        said = (
            ", ".join(f"{count} times {what}" for what, count in sorted(retried.items())) or "none"
        )
        return (
            f"2 web servers, 2 workers and the scheduler exchanged in turn: "
            f"{len(self.load.acknowledged)} acknowledged writes, {len(self.missing)} lost; "
            f"{sum(self.readers.answered.values())} searches and pages; calls that a client had "
            f"to send again: {said}; failed for good: 0; longest wait {self.readers.longest:.1f} s"
        )


async def rolling_restart(scene: Scene) -> Rolled:
    """Exchange each process under load; nothing acknowledged is lost, nothing fails for good."""
    deployment = scene.deployment
    load = Load([scene.mcp(PROXY)], scene.tokens["access_token"], "rolling", retries=RETRIES)
    readers = Readers(scene)
    is_over = False
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(load.write_until(lambda: is_over))
        tasks.create_task(readers.read_until(lambda: is_over))
        try:
            await load.reach(AFTER_EACH)
            for end, start in _exchanges(scene):
                await asyncio.to_thread(deployment.end, end)
                await asyncio.to_thread(start)
                await load.go_on(more=AFTER_EACH)
        finally:
            is_over = True
    missing = await asyncio.to_thread(load.missing)
    need(not missing, f"Acknowledged writes are lost: {missing}")
    need(not load.failures, f"Writes failed for good: {dict(load.failures)} {load.sentences}")
    need(not readers.failures, f"Reads failed for good: {dict(readers.failures)}")
    return Rolled(load, readers, missing)


def _exchanges(scene: Scene) -> list[tuple[str, Callable[[], None]]]:
    deployment = scene.deployment
    return [
        ("web0", lambda: deployment.start_web(0)),
        ("web1", lambda: deployment.start_web(1)),
        ("worker0", lambda: deployment.start_worker(0)),
        ("worker1", lambda: deployment.start_worker(1)),
        ("scheduler", deployment.start_scheduler),
    ]


def everybody_is_still_known(scene: Scene) -> str:
    """Go on after it with what was given before it: session, registration, tokens."""
    scene.call(PROXY, "search", query="")
    before = scene.tokens["access_token"]
    scene.refresh(at=PROXY)
    need(scene.tokens["access_token"] != before, "The refresh gave the same token again.")
    scene.call(PROXY, "search", query="")
    code, verifier = scene.consent(at=PROXY)
    scene.exchange(code, verifier, at=PROXY)
    scene.call(PROXY, "search", query="")
    return "the browser is signed in, the token opens and is refreshed, the app is registered"
