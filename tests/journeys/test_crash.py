"""Nothing that was acknowledged is lost, whatever is killed."""

import asyncio

import httpx
import pytest

from tests.journeys.product import Product, data_folder, free_port, start
from tests.mcp_gateway.clients import POST_HEADERS, rpc

pytestmark = pytest.mark.product
WRITERS = 4
SAVES_BEFORE_THE_KILL = 40


class Writers:
    """Save as fast as answers come, and note what was acknowledged."""

    def __init__(self, product: Product) -> None:
        space = product.manage("create_space", "crash@example.org", "Crash")
        key = product.manage(
            "create_api_key", space["id"], "--scope", "auth:read", "--scope", "auth:write"
        )
        self.url = space["url"]
        self.headers = POST_HEADERS | {"authorization": f"Bearer {key['key']}"}
        self.acknowledged: dict[str, str] = {}

    async def write_until_killed(self, kill: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as tasks:
            for writer in range(WRITERS):
                tasks.create_task(self._write(writer, kill))

    async def _write(self, writer: int, kill: asyncio.Event) -> None:
        async with httpx.AsyncClient(headers=self.headers, timeout=30) as http:
            for number in range(10_000):
                content = f"Writer {writer} noted fact number {number}."
                arguments = {"content": content, "kind": "observation", "path": f"Crash.W{writer}"}
                body = rpc("tools/call", name="save", arguments=arguments)
                try:
                    answer = await http.post(self.url, content=body)
                except httpx.TransportError:
                    return
                saved = _saved(answer)
                if saved is None:
                    return
                self.acknowledged[saved] = content
                if len(self.acknowledged) >= SAVES_BEFORE_THE_KILL:
                    kill.set()

    def missing(self) -> list[str]:
        """Return the acknowledged facts that the started product does not give back."""
        with httpx.Client(headers=self.headers, timeout=30) as http:
            return [
                content
                for memory_id, content in self.acknowledged.items()
                if content not in http.post(self.url, content=_search(memory_id)).text
            ]


def _saved(answer: httpx.Response) -> str | None:
    """Return the id that was acknowledged, or nothing: the database may die before the web."""
    if answer.status_code != httpx.codes.OK or answer.json()["result"].get("isError"):
        return None
    return str(answer.json()["result"]["structuredContent"]["id"])


def _search(memory_id: str) -> bytes:
    return rpc("tools/call", name="search", arguments={"query": memory_id})


async def test_every_acknowledged_save_survives_a_kill_of_all_processes() -> None:
    with data_folder() as root:
        product = await asyncio.to_thread(start, root, free_port())
        writers, kill = Writers(product), asyncio.Event()

        async def killer() -> None:
            await kill.wait()
            await asyncio.to_thread(product.kill_everything)

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(killer())
            tasks.create_task(writers.write_until_killed(kill))
        assert product.processes() == []
        again = await asyncio.to_thread(start, root, product.port)
        try:
            missing = await asyncio.to_thread(writers.missing)
        finally:
            exit_code = await asyncio.to_thread(again.stop)

        assert len(writers.acknowledged) >= SAVES_BEFORE_THE_KILL
        assert missing == []
        assert exit_code == 0
        assert again.processes() == []
