"""Time pages on a space of 10,000 memories: python -m bench.web.

In one process and without a network: from the request to the last byte of the page, through every
middleware, on the embedded PostgreSQL with its durable settings.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench.installation import throw_away

REPEATS = 30
QUESTIONS = 200
PER_TEXT = 25
WORDS = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    asked = parser.parse_args()
    with throw_away() as root:
        print("| page | least ms | p50 ms | p95 ms | CPU ms | queries | kB |")
        print("|---|---|---|---|---|---|---|")
        _measure(root, asked.memories, repeats=asked.repeats)


def _measure(root: Path, memories: int, *, repeats: int) -> None:
    from django.conf import settings  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from tests.factories import make_space, make_user  # noqa: PLC0415

    user = make_user("bench@example.org")
    space = make_space(owner=user, name="Bench")
    first = _fill(root, str(space.pk), memories)
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    client = Client()
    client.force_login(user)
    base = f"/spaces/{space.pk}/memories/"
    pages = {
        "home, all spaces": "/",
        "list, first page": base,
        "list, filtered by kind and path": f"{base}?kind=pointer&path=Bench.Part7",
        "list, everything, by path": f"{base}?state=all&sort=path",
        "list, plain text": f"{base}?q=w42&mode=text",
        "map": f"{base}map/",
        "map of one path": f"{base}map/?path=Bench.Part7",
        "one memory": f"{base}{first}/",
        "review": f"{base}review/",
        "activity": f"{base}activity/",
        "health": f"{base}health/",
    }
    for name, url in pages.items():
        sent: list[str] = []
        with connection.execute_wrapper(partial(_noted, sent)):
            answer = client.get(url)
        assert answer.status_code == 200, (name, answer.status_code)  # noqa: PLR2004
        taken = [_timed(client.get, url) for _ in range(repeats)]
        waited = sorted(each for each, _ in taken)
        cpu = statistics.median(each for _, each in taken)
        p95 = waited[int(len(waited) * 0.95)]
        figures = f"{waited[0]:.0f} | {statistics.median(waited):.0f} | {p95:.0f} | {cpu:.0f}"
        size = len(answer.content) / 1024
        print(f"| {name} | {figures} | {len(sent)} | {size:.0f} |", flush=True)


def _timed(get: Callable[[str], object], url: str) -> tuple[float, float]:
    """Return the milliseconds that passed, and those of CPU that this process used."""
    started, worked = time.perf_counter(), time.process_time()
    get(url)
    return (time.perf_counter() - started) * 1000, (time.process_time() - worked) * 1000


def _noted(sent: list[str], execute: Callable[..., object], sql: str, *details: object) -> object:
    """Note a statement, and run it."""
    sent.append(sql)
    return execute(sql, *details)


def _fill(root: Path, space_id: str, memories: int) -> str:
    """Write the memories and some questions about them; return the id of one."""
    from bench.rows import fill_space, superuser  # noqa: PLC0415

    numbers = random.Random(1)  # noqa: S311  the same texts in every run
    words = [f"w{number}" for number in range(WORDS)]
    weights = [1 / (rank + 1) for rank in range(WORDS)]
    texts = (
        f"{number} " + " ".join(numbers.choices(words, weights, k=PER_TEXT))
        for number in range(memories)
    )
    with superuser(root) as connection:
        fill_space(connection, space_id, texts)
        connection.execute(
            "insert into memories_reviewitem (id, space_id, question, memory_id, memory_version, "
            "evidence, state, resolution, undo, created_at, updated_at) "
            "select gen_random_uuid(), space_id, 'unsourced', id, 1, '{}', 'open', '', '{}', "
            "now(), now() from memories_memory limit %s",
            [QUESTIONS],
        )
        connection.execute("vacuum analyze")
        found = connection.execute("select id from memories_memory limit 1").fetchone()
    assert found is not None
    return str(found[0])


if __name__ == "__main__":
    main()
