"""Agents that call without a pause, a bounded number at a time, and what became of their calls."""

import http.client
import json
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

MIX = {"search": 70, "save": 20, "revise": 5, "resume": 5}
_HEADERS = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-11-25",
}


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool in one space."""

    space_id: str
    token: str
    tool: str
    arguments: Mapping[str, object]

    def body(self) -> bytes:
        params = {"name": self.tool, "arguments": self.arguments}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return json.dumps(call).encode()


@dataclass
class Outcome:
    """Seconds of every answered call by tool, and the calls that failed, by what they heard."""

    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def calls(self) -> int:
        return sum(map(len, self.waits.values())) + self.errors.total()

    def add(self, other: "Outcome") -> None:
        for tool, waits in other.waits.items():
            self.waits[tool] += waits
        self.errors += other.errors
        self.seconds += other.seconds


class Agents:
    """The agents of many spaces; each call is drawn by the mix, the space evenly.

    Two with the same seed draw the same calls in the same order.
    """

    def __init__(
        self, spaces: Sequence[tuple[str, str]], texts: Iterator[str], *, questions: Sequence[str],
        mix: Mapping[str, int] = MIX,
    ) -> None:  # fmt: skip
        self._spaces, self._texts, self._questions = spaces, texts, questions
        self._mix = mix
        self._random = random.Random(7)  # noqa: S311  the same calls in every run
        self._lock = threading.Lock()
        self._revisable: dict[str, str] = {}

    def prepare(self, ports: Sequence[int]) -> None:
        """Let each space have a checkpoint to resume and a memory to revise; warms up too."""
        calls = []
        for space_id, token in self._spaces:
            task = {"task": "Load", "goal": "Measure.", "next_step": "Read the table."}
            calls.append(Call(space_id, token, "checkpoint", task))
            calls.append(Call(space_id, token, "save", self._fact()))
            calls.append(Call(space_id, token, "search", {"query": self._questions[0]}))
        outcome = self._run(ports, iter(calls), clients=4)
        if outcome.errors:
            raise RuntimeError(f"Calls failed before anything was measured: {outcome.errors}")

    def call(self, ports: Sequence[int], *, calls: int, clients: int) -> Outcome:
        """Make so many calls, over so many connections at once, to the servers in turn."""
        return self._run(ports, (self._drawn() for _ in range(calls)), clients=clients)

    def _run(self, ports: Sequence[int], calls: Iterator[Call], *, clients: int) -> Outcome:
        outcome, began = Outcome(), time.perf_counter()
        threads = [
            threading.Thread(target=self._work, args=(ports[number % len(ports)], calls, outcome))
            for number in range(clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        outcome.seconds = time.perf_counter() - began
        return outcome

    def _work(self, port: int, calls: Iterator[Call], outcome: Outcome) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while True:
            with self._lock:
                call = next(calls, None)
            if call is None:
                break
            began = time.perf_counter()
            try:
                error = self._sent(connection, call)
            except (OSError, http.client.HTTPException) as failure:
                connection.close()
                error = type(failure).__name__
            took = time.perf_counter() - began
            with self._lock:
                if error:
                    outcome.errors[f"{call.tool}: {error}"] += 1
                else:
                    outcome.waits[call.tool].append(took)
        connection.close()

    def _sent(self, connection: http.client.HTTPConnection, call: Call) -> str:
        headers = _HEADERS | {"authorization": f"Bearer {call.token}"}
        connection.request("POST", f"/mcp/{call.space_id}", body=call.body(), headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != http.HTTPStatus.OK:
            return str(answer.status)
        result = json.loads(body)["result"]
        if result.get("isError"):
            return str(result["content"][0]["text"])
        if call.tool == "save":
            self._revisable[call.space_id] = result["structuredContent"]["id"]
        return ""

    def _drawn(self) -> Call:
        tools, weights = list(self._mix), list(self._mix.values())
        space_id, token = self._random.choice(self._spaces)
        (tool,) = self._random.choices(tools, weights)
        return Call(space_id, token, tool, self._arguments(tool, space_id))

    def _arguments(self, tool: str, space_id: str) -> Mapping[str, object]:
        if tool == "search":
            return {"query": self._random.choice(self._questions)}
        if tool == "save":
            return self._fact()
        if tool == "revise":
            return {"id": self._revisable[space_id], "content": next(self._texts)}
        return {}

    def _fact(self) -> Mapping[str, object]:
        return {"content": next(self._texts), "kind": "observation", "path": "Bench.New"}
