"""Calls that happen at the same moment, each on its own database connection."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from django.db import connection

from brain.lib.errors import DomainError

T = TypeVar("T")


def at_once(call: Callable[[], T], *, times: int) -> list[T | DomainError]:
    """Return what each of `times` parallel calls answered: a value, or the refusal it got."""
    return all_at_once([call] * times)


def all_at_once(calls: list[Callable[[], T]]) -> list[T | DomainError]:
    """Run every call in a thread of its own, all let go together."""
    gate = threading.Barrier(len(calls))
    with ThreadPoolExecutor(max_workers=len(calls)) as threads:
        return list(threads.map(partial(_outcome, gate), calls))


def _outcome(gate: threading.Barrier, call: Callable[[], T]) -> T | DomainError:
    gate.wait(timeout=30)
    try:
        return call()
    except DomainError as error:
        return error
    finally:
        connection.close()
