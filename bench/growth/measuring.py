"""What a step costs: the time that passed, and the CPU of PostgreSQL and of whoever asked."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil

from brain.embedded.folder import DataFolder

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds: on the clock, of PostgreSQL's processes, of this process and its commands."""

    clock: float
    server: float
    client: float

    def __str__(self) -> str:
        return f"{self.clock:.1f} | {self.server:.1f} | {self.client:.1f}"


def cost_of(root: Path, work: Callable[[], Result]) -> tuple[Result, Cost]:
    """Do the work, and return what it returned and what it cost."""
    server, client, started = server_cpu(root), client_cpu(), time.perf_counter()
    result = work()
    clock = time.perf_counter() - started
    return result, Cost(clock, server_cpu(root) - server, client_cpu() - client)


def heading(first: str, *more: str, last: Sequence[str] = ()) -> None:
    """Print the head of a table whose rows are about costs."""
    columns = [first, *more, "seconds", "PostgreSQL CPU s", "client CPU s", *last]
    print(f"\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)


def step(name: str, root: Path, work: Callable[[], Result]) -> Result:
    """Do the work, and print one row of a table about it."""
    result, cost = cost_of(root, work)
    print(f"| {name} | {cost} |", flush=True)
    return result


def client_cpu() -> float:
    """Return the CPU seconds of this process and of the commands that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def server_cpu(root: Path) -> float:
    """Return the CPU seconds of all processes that this PostgreSQL has and had."""
    postmaster = (DataFolder(root).pgdata / "postmaster.pid").read_text().split("\n", 1)[0]
    server = psutil.Process(int(postmaster))
    own = server.cpu_times()
    # Of those that ended the kernel gives the time to their parent.
    total = own.user + own.system + own.children_user + own.children_system
    for child in server.children():
        try:
            times = child.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return float(total)


def backend_ms(process: int) -> float:
    """Return the CPU milliseconds of one of PostgreSQL's processes, to the microsecond."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e6


def size_of(folder: Path) -> float:
    """Return the gigabytes that the files below the folder take on disk."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_blocks * 512
        except OSError:
            continue
    return total / 1e9
