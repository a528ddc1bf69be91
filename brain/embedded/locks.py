"""File locks: the kernel forgets them with the process, however it ends."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path


def open_lock(path: Path) -> int:
    """Open the file that a lock is held on; only its owner may."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Wait for the lock, and hold it inside the block."""
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def try_exclusive(descriptor: int, *, patience: float = 0) -> bool:
    """Take the lock, or make a shared one exclusive, unless somebody else goes on holding it."""
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
        else:
            return True


def is_held(path: Path) -> bool:
    """Tell whether somebody holds the lock exclusively; looking takes it for no time at all."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def share(path: Path) -> int:
    """Join those who hold the shared lock; closing the descriptor leaves them."""
    descriptor = open_lock(path)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor
