"""Keeps what was started in order: watches it, and stops the last first."""

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

from brain.embedded.children import Child
from brain.embedded.errors import EmbeddedError

INTERVAL = 0.5


def say(text: str) -> None:
    """Write to the terminal at once; where nobody can listen (a full disk), go on."""
    with contextlib.suppress(OSError):
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


class Supervisor:
    """A block whose services run until somebody asks to stop or one of them dies."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._deaths: list[Callable[[], str]] = []
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Take over the signals that ask to stop."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            before = signal.signal(number, self._ask_to_stop)
            self._stack.callback(signal.signal, number, before)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop what runs, the last started first."""
        self._stack.close()

    @property
    def is_stopping(self) -> bool:
        return self._stopping.is_set()

    def at_the_end(self, stop: Callable[[], object]) -> None:
        """Call `stop` when the block ends, before what was given earlier."""
        self._stack.callback(stop)

    def watch(self, death: Callable[[], str]) -> None:
        """Ask `death` again and again; it answers "" for as long as all is well."""
        self._deaths.append(death)

    def keep(self, child: Child, *, patience: float) -> None:
        """Watch a child, and stop it in its turn."""
        self.watch(lambda: describe_death(child))
        self.at_the_end(lambda: child.stop(patience=patience))

    def wait_until(self, condition: Callable[[], bool], *, seconds: float) -> bool:
        """Wait for `condition`; return False when somebody asks to stop before it holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            self._raise_for_death()
            if time.monotonic() > deadline:
                raise EmbeddedError(f"The web server did not answer within {seconds:.0f} seconds.")
            if self._stopping.wait(0.05):
                return False
        return not self.is_stopping

    def wait(self) -> None:
        """Return when somebody asks to stop; raise when a service dies before that."""
        while not self._stopping.wait(INTERVAL):
            self._raise_for_death()

    def _raise_for_death(self) -> None:
        died = [each for each in (death() for death in self._deaths) if each]
        if died and not self.is_stopping:
            raise EmbeddedError(f"{'; '.join(died)}. Everything else is stopped with it.")

    def _ask_to_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping.set()


def describe_death(child: Child) -> str:
    """Say how the child ended, or "" while it runs."""
    if not child.died():
        return ""
    code = child.process.returncode
    how = f"exit code {code}" if code >= 0 else f"signal {-code}"
    return f"The {child.name} ended by itself ({how})"
