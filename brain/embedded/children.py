"""Child processes that never outlive the one who started them."""

import ctypes
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
) -> Child:
    """Start a program in a session of its own, so that Ctrl-C reaches only us.

    Call it from the main thread: on Linux the child ends with the thread that started it.
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
        preexec_fn=_die_with_parent(),  # noqa: PLW1509 (one C call, looked up before the fork)
    )
    return Child(name, process)


def _die_with_parent() -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, signal.SIGTERM) and None
