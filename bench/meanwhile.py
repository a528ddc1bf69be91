"""Somebody who saves while something else is going on: each waits for the product, not for that."""

import itertools
import threading
import time
from collections.abc import Callable
from typing import Self

from django.db import connection


class Saves:
    """Call `save` with 1, 2, 3 … every `pause` seconds in a thread, at least once."""

    def __init__(self, save: Callable[[int], None], *, pause: float) -> None:
        self._save, self._pause, self._waits = save, pause, list[float]()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def __str__(self) -> str:
        waits = sorted(self._waits)
        middle, late = waits[len(waits) // 2], waits[int(len(waits) * 0.95)]
        return f"{len(waits)}, p50 {middle:.0f} ms, p95 {late:.0f} ms, longest {waits[-1]:.0f} ms"

    def _run(self) -> None:
        for number in itertools.count(1):
            if self._is_over.wait(self._pause) and self._waits:
                break
            started_at = time.perf_counter()
            self._save(number)
            self._waits.append(1000 * (time.perf_counter() - started_at))
        connection.close()
