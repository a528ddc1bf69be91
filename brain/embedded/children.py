"""Child processes that never outlive the one who started them."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Child:
    """A running program with the name that people read."""

    name: str
    process: subprocess.Popen[bytes]

    def died(self) -> bool:
        return self.process.poll() is not None

    def stop(self, *, patience: float) -> None:
        """Ask it to end, and end it when it has not after `patience` seconds."""
        if not self.died():
            self.process.terminate()
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_child(
    name: str,
    command: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    quiet: bool = False,
    niceness: int = 0,
) -> Child:
    """Start a program in a session of its own, so that Ctrl-C reaches only us.

    Call it from the main thread: on Linux the child ends with the thread that started it. The
    higher its niceness (0 to 19), the more it leaves the processor to others.
    """
    output = subprocess.DEVNULL if quiet else None
    process = subprocess.Popen(  # noqa: S603
        command,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
        preexec_fn=_prepared(niceness),  # noqa: PLW1509 (two C calls, looked up before the fork)
    )
    return Child(name, process)


def _prepared(niceness: int) -> Callable[[], None]:
    """Return what the child does first: it steps back, and on Linux it dies with its parent."""
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def prepare() -> None:
        os.nice(niceness)
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return prepare
