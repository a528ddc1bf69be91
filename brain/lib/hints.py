"""Hints to Valkey (a queued job, a live update) that can neither delay nor fail a save.

The row is the truth and a hint only makes things quicker, so it leaves the caller's thread:
one daemon thread a process sends them in order, and what does not fit is dropped. Whoever
writes something else that may be lost (the ledger of reads) has a sender, and so a thread, of
its own.
"""

import atexit
import logging
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial

from django.db import transaction

logger = logging.getLogger(__name__)

WAITING_MAX = 1000
QUIET_SECONDS = 60.0

Send = Callable[[], object]


class HintSender:
    """A bounded queue and the thread that empties it, started with the first hint."""

    def __init__(self, *, limit: int = WAITING_MAX, name: str = "hints") -> None:
        self._limit = limit
        self._name = name
        self.start_afresh()

    def start_afresh(self) -> None:
        """Forget what waits and the thread: a forked process has neither."""
        self._waiting: OrderedDict[Hashable, Send] = OrderedDict()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_sending = False
        self._complained_at = -QUIET_SECONDS

    def send_later(self, send: Send, *, key: Hashable = None) -> bool:
        """Queue the hint; say whether there was room. One that waits with this key is enough."""
        with self._changed:
            key = object() if key is None else key
            if key not in self._waiting and len(self._waiting) >= self._limit:
                self._complain("A hint was dropped: %d are waiting.", len(self._waiting))
                return False
            self._waiting[key] = send
            self._changed.notify_all()
            return self._is_running()

    def flush(self, *, timeout: float) -> bool:
        """Wait until everything queued so far was sent or failed; say whether it was."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._waiting and not self._is_sending, timeout
            )

    def _is_running(self) -> bool:
        if self._thread is None:
            thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            try:
                thread.start()
            except RuntimeError:
                self._waiting.clear()
                self._complain("A hint was dropped: no thread can be started.")
                return False
            self._thread = thread
        return True

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                _, send = self._waiting.popitem(last=False)
                self._is_sending = True
            self._send(send)
            del send
            with self._changed:
                self._is_sending = False
                self._changed.notify_all()

    def _send(self, send: Send) -> None:
        # Whatever went wrong, the next hint must still be sent: this thread may not end.
        try:
            send()
        except Exception as error:  # noqa: BLE001
            self._complain("A hint could not be sent: %s.", type(error).__name__)

    def _complain(self, message: str, *arguments: object) -> None:
        """Log, but not a line for each hint while Valkey is away."""
        if time.monotonic() - self._complained_at >= QUIET_SECONDS:
            self._complained_at = time.monotonic()
            logger.warning(message, *arguments)


_sender = HintSender()


def send_later(send: Send, *, key: Hashable = None) -> bool:
    """Call `send` soon, in another thread; it must not use the database. Never blocks or raises."""
    return _sender.send_later(send, key=key)


def send_after_commit(send: Send, *, key: Hashable = None) -> None:
    """Call `send` soon after the open transaction was committed, and never if it was not."""
    transaction.on_commit(partial(send_later, send, key=key))


def flush(*, timeout: float = 5.0) -> bool:
    """Wait for the hints of this process: for tests, and for a command that ends."""
    return _sender.flush(timeout=timeout)


def keep_across_forks(sender: HintSender) -> None:
    """Have the sender work in forked processes too, and get a moment at the end of this one."""
    # A forked worker inherits the queue, and perhaps a held lock, but not the thread.
    os.register_at_fork(after_in_child=sender.start_afresh)
    atexit.register(sender.flush, timeout=1.0)


keep_across_forks(_sender)
