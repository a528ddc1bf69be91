"""Counters for Prometheus. Labels are names of views and tools, never what somebody sent."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from prometheus_client import Counter, Histogram

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
REQUESTS = Counter("brain_http_requests", "Requests", ["method", "view", "status"])
REQUEST_SECONDS = Histogram("brain_http_seconds", "Time to answer", ["view"], buckets=_SECONDS)
CALLS = Counter("brain_tool_calls", "Calls of agents' tools", ["tool", "outcome"])
CALL_SECONDS = Histogram("brain_tool_seconds", "Time of a call", ["tool"], buckets=_SECONDS)


@dataclass(slots=True)
class Call:
    """One call of a tool that is being timed; whoever handles it says how it ended."""

    outcome: str = "failed"


@contextmanager
def timed_call(tool: str) -> Iterator[Call]:
    """Count and time one call of a tool; it failed unless its outcome is set."""
    call, began = Call(), time.perf_counter()
    try:
        yield call
    finally:
        CALLS.labels(tool, call.outcome).inc()
        CALL_SECONDS.labels(tool).observe(time.perf_counter() - began)
