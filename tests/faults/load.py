"""Writers that go on whatever happens, and a ledger of what they were promised."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import httpx

from tests.mcp_gateway.clients import POST_HEADERS, rpc
from tests.tally import Tally

WRITERS = 4


@dataclass
class Load:
    """Saves through every one of `urls` in turn; an answer with an id is a promise.

    With `retries` a call that fails is sent again so often, as clients do; `failures` counts
    what still failed then, `retried` how often it was needed.
    """

    urls: Sequence[str]
    key: str
    name: str = "fault"
    retries: int = 0
    acknowledged: dict[str, str] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    sentences: set[str] = field(default_factory=set)
    retried: Counter[str] = field(default_factory=Counter)
    _written: int = 0

    @property
    def headers(self) -> dict[str, str]:
        return POST_HEADERS | {"authorization": f"Bearer {self.key}"}

    async def write_until(self, is_over: Callable[[], bool]) -> None:
        """Write from several connections at once until it is over."""
        async with asyncio.TaskGroup() as tasks:
            for writer in range(WRITERS):
                tasks.create_task(self._write(writer, is_over))

    async def _write(self, writer: int, is_over: Callable[[], bool]) -> None:
        async with httpx.AsyncClient(headers=self.headers, timeout=30) as http:
            while not is_over():
                self._written += 1
                content = f"{self.name}: writer {writer} noted fact number {self._written}."
                await self._save(http, self.urls[self._written % len(self.urls)], content)

    async def _save(self, http: httpx.AsyncClient, url: str, content: str) -> None:
        sent = {"content": content, "kind": "observation", "path": f"Faults.{self.name}"}
        body = rpc("tools/call", name="save", arguments=sent)
        for attempt in range(self.retries + 1):
            failure = await self._try(http, url, body, content)
            if not failure:
                return
            counted = self.failures if attempt == self.retries else self.retried
            counted[failure] += 1
            await asyncio.sleep(0.05 * 2**attempt)

    async def _try(self, http: httpx.AsyncClient, url: str, body: bytes, content: str) -> str:
        """Send it once; return in a word why it failed, or nothing."""
        try:
            answer = await http.post(url, content=body)
        except httpx.TransportError as error:
            return type(error).__name__
        if answer.status_code != httpx.codes.OK:
            return str(answer.status_code)
        result = answer.json()["result"]
        if result.get("isError"):
            self.sentences.add(result["content"][0]["text"])
            return "refused"
        self.acknowledged[str(result["structuredContent"]["id"])] = content
        return ""

    async def reach(self, number: int, *, seconds: float = 180) -> None:
        """Wait until so many writes are acknowledged."""
        async with asyncio.timeout(seconds):
            while len(self.acknowledged) < number:  # noqa: ASYNC110  the ledger is what counts
                await asyncio.sleep(0.02)

    async def go_on(self, *, more: int = 20, seconds: float = 180) -> None:
        """Wait until writes are acknowledged again."""
        await self.reach(len(self.acknowledged) + more, seconds=seconds)

    def missing(self, url: str = "") -> list[str]:
        """Return the promised facts that are not given back."""
        with httpx.Client(headers=self.headers, timeout=30) as http:
            return [
                content
                for memory_id, content in self.acknowledged.items()
                if content not in self._found(http, url or self.urls[0], memory_id)
            ]

    def _found(self, http: httpx.Client, url: str, memory_id: str) -> str:
        body = rpc("tools/call", name="search", arguments={"query": memory_id})
        for _ in range(20):
            answer = http.post(url, content=body)
            if answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
                break
        return answer.text

    def count(self, runs: Tally, missing: Sequence[str]) -> None:
        """Put the figures into the report of the run."""
        runs.add()
        runs.add(len(self.acknowledged), "acknowledged writes")
        runs.add(len(missing), "lost writes")
