"""Time save and search through HTTP and MCP on the started product: python -m bench.latency.

Spaces of 1,000, 10,000 and 100,000 memories, then the same with 1,000 other spaces beside them.
Texts are drawn from a made-up vocabulary with the frequencies of a natural one (Zipf); their
vectors are random, which makes no difference to the time that comparing them takes. Questions
are read by the real model. One client, one call after the other, on an otherwise idle machine.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from tests.journeys.product import Product, data_folder, started

HEADERS = {
    "accept": "application/json",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-11-25",
}
WORDS = 20_000
PER_TEXT = 25
OTHER_SPACES, IN_OTHER_SPACES = 1000, 20
# Seconds that the worker needs to read and compare what was saved, with some to spare.
PAUSE = 0.4
# Seconds of CPU of all processes in three seconds.
CALM = 0.15
_random = random.Random(1)  # noqa: S311  the same texts in every run


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds: of the caller's waiting, and of the web process's CPU."""

    p50: float
    p95: float
    cpu: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000, 100_000])
    parser.add_argument("--calls", type=int, default=200, help="of each kind")
    chosen = parser.parse_args()
    sizes, calls = chosen.sizes, chosen.calls
    print("| memories in the space | other spaces | call | p50 ms | p95 ms | CPU ms | times list |")
    print("|---|---|---|---|---|---|---|")
    with data_folder() as root, started(root) as product:
        keys = [_space(product, f"Size {size}") for size in sizes]
        with _database(root) as fill:
            for size, (url, _) in zip(sizes, keys, strict=True):
                fill(url.rpartition("/")[2], size)
        _count_words(product, [url.rpartition("/")[2] for url, _ in keys])
        for size, key in zip(sizes, keys, strict=True):
            _measure(product, size, 0, *key, calls=calls)
        with _database(root) as fill:
            fill("", OTHER_SPACES)
        for size, key in zip(sizes, keys, strict=True):
            _measure(product, size, OTHER_SPACES, *key, calls=calls)


def _space(product: Product, name: str) -> tuple[str, str]:
    space = product.manage("create_space", "bench@example.org", name)
    key = product.manage("create_api_key", space["id"], "--scope", "auth:write")
    return space["url"], key["key"]


def _count_words(product: Product, space_ids: Sequence[str]) -> None:
    """Do what the worker does each hour, since nothing told it of these rows."""
    product.run_python(
        "from memories.services.counting import count_words; "
        "from spaces.models import Space; "
        f"[count_words(space) for space in Space.objects.filter(pk__in={list(space_ids)!r})]"
    )


def _wait_until_calm(product: Product) -> None:
    """Wait until what followed from the filling is done, at most three minutes."""
    for _ in range(60):
        before = _cpu_of_all(product)
        time.sleep(3)
        if _cpu_of_all(product) - before < CALM:
            return
    print("Something still works in the background.", flush=True)


def _cpu_of_all(product: Product) -> float:
    seconds = 0.0
    for process_id in product.processes():
        with suppress(psutil.NoSuchProcess):
            seconds += _cpu(psutil.Process(process_id))
    return seconds


def _measure(product: Product, size: int, others: int, url: str, key: str, *, calls: int) -> None:
    # Saves of the round before leave work behind.
    _wait_until_calm(product)
    web = _web_process(product)
    headers = HEADERS | {"authorization": f"Bearer {key}"}
    with httpx.Client(headers=headers, timeout=60) as http:

        def post(body: bytes) -> None:
            answer = http.post(url, content=body)
            assert answer.status_code == httpx.codes.OK, answer.text
            assert not answer.json()["result"].get("isError"), answer.text

        def save() -> bytes:
            return _call("save", content=_text(), kind="observation", path="Bench.New")

        bodies: dict[str, tuple[Callable[[], bytes], float]] = {
            "tools/list": (lambda: _request("tools/list"), 0),
            "search": (lambda: _call("search", query=_question()), 0),
            "save, while the worker reads those before": (save, 0),
            "save, on an idle machine": (save, PAUSE),
        }
        cheapest = 0.0
        for name, (body, pause) in bodies.items():
            figures = _timed(web, lambda body=body: post(body()), calls=calls, pause=pause)  # type: ignore[misc]
            cheapest = cheapest or figures.cpu
            print(
                f"| {size:,} | {others:,} | {name} | {figures.p50:.1f} | {figures.p95:.1f} "
                f"| {figures.cpu:.1f} | {figures.cpu / cheapest:.1f} |",
                flush=True,
            )


def _timed(web: psutil.Process, call: Callable[[], None], *, calls: int, pause: float) -> Figures:
    for _ in range(20):
        call()
    before = _cpu(web)
    waits = []
    for _ in range(calls):
        time.sleep(pause)
        started_at = time.perf_counter()
        call()
        waits.append(1000 * (time.perf_counter() - started_at))
    cpu = 1000 * (_cpu(web) - before) / calls
    return Figures(statistics.median(waits), statistics.quantiles(waits, n=20)[-1], cpu)


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _web_process(product: Product) -> psutil.Process:
    for process in psutil.process_iter():
        if process.pid in product.processes() and "uvicorn" in " ".join(process.cmdline()):
            return process
    raise LookupError("The web process is not there.")


def _call(tool: str, **arguments: str) -> bytes:
    return _request("tools/call", name=tool, arguments=arguments)


def _request(method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


def _vocabulary() -> tuple[list[str], list[float]]:
    syllables = [a + b for a in "bcdfglmnprstv" for b in "aeiou"]
    words = {"".join(_random.choices(syllables, k=_random.randint(2, 4))) for _ in range(2 * WORDS)}
    chosen = sorted(words)[:WORDS]
    _random.shuffle(chosen)
    return chosen, [1 / (rank + 3) for rank in range(len(chosen))]


_WORDS, _WEIGHTS = _vocabulary()


def _text() -> str:
    return " ".join(_random.choices(_WORDS, _WEIGHTS, k=PER_TEXT))


def _question() -> str:
    return " ".join(_random.choices(_WORDS, _WEIGHTS, k=4)) + " " + _random.choice(_WORDS[500:5000])


@contextmanager
def _database(root: Path) -> Iterator[Callable[[str, int], None]]:
    """Fill spaces directly: through the tools, 100,000 saves would take most of an hour."""
    from bench.rows import fill_others, fill_space, superuser  # noqa: PLC0415

    with superuser(root) as connection:

        def fill(space_id: str, count: int) -> None:
            texts = (_text() for _ in range(count if space_id else count * IN_OTHER_SPACES))
            if space_id:
                fill_space(connection, space_id, texts)
            else:
                fill_others(connection, texts, spaces=count)

        yield fill
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")


if __name__ == "__main__":
    main()
