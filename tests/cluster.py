"""The throw-away PostgreSQL and Valkey of one test run; nothing of them stays behind."""

import atexit
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from brain.embedded import locks
from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import DataFolder
from brain.embedded.postgres import EmbeddedPostgres
from brain.embedded.valkey import EmbeddedValkey

# Set by the process that starts the cluster, and inherited by the workers of pytest-xdist.
VARIABLE = "BRAIN_TEST_CLUSTER"
PLACE = Path("/tmp")  # noqa: S108 (sockets need a short path that the server's user can reach)
PREFIX = "brain-test-"


def forget_environment() -> None:
    """Drop every deployment choice of the caller, so that no test reaches real data."""
    for name in list(os.environ):
        if name.startswith("BRAIN_") and name != VARIABLE:
            del os.environ[name]
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "BROKER_URL"):
        os.environ.pop(name, None)


def shared_postgres() -> DataFolder:
    """Return the cluster of this run; the first process of the run starts and removes it."""
    if VARIABLE in os.environ:
        return DataFolder(Path(os.environ[VARIABLE]))
    _sweep()
    folder = new_folder()
    os.environ[VARIABLE] = str(folder.root)
    lock = locks.open_lock(folder.root / "owner.lock")
    locks.try_exclusive(lock)
    postgres = EmbeddedPostgres(folder, durable=False)
    atexit.register(remove, folder, postgres)
    _exit_on_signals()
    postgres.acquire()
    return folder


def own_valkey(folder: DataFolder) -> EmbeddedValkey:
    """Start a Valkey for this process alone, so that workers don't empty each other's."""
    valkey = EmbeddedValkey(folder, durable=False)
    atexit.register(valkey.stop)
    valkey.start()
    return valkey


def new_folder() -> DataFolder:
    """Make an empty data folder that the server's user can reach, inside the run's own."""
    root = Path(tempfile.mkdtemp(prefix=PREFIX, dir=os.environ.get(VARIABLE, PLACE)))
    if os.geteuid() == 0:
        root.chmod(0o711)
    return DataFolder(root)


def remove(folder: DataFolder, postgres: EmbeddedPostgres) -> None:
    """Stop the server and delete the folder, also when the server can't be stopped."""
    try:
        # A test that was interrupted may have left a server of its own.
        for pgdata in folder.root.glob("*/pgdata"):
            left_over = EmbeddedPostgres(DataFolder(pgdata.parent), durable=False)
            if left_over.is_running():
                left_over.acquire()
                left_over.release()
        postgres.release()
    finally:
        for each in (folder.run, folder.valkey_socket.parent, folder.root):
            shutil.rmtree(each, ignore_errors=True)


def _sweep() -> None:
    # A run that was killed outright could not clean up.
    for lock in PLACE.glob(f"{PREFIX}*/owner.lock"):
        with contextlib.suppress(OSError, EmbeddedError):
            descriptor = locks.open_lock(lock)
            if locks.try_exclusive(descriptor):
                folder = DataFolder(lock.parent)
                postgres = EmbeddedPostgres(folder, durable=False)
                if postgres.is_running():
                    postgres.acquire()
                remove(folder, postgres)
            os.close(descriptor)


def _exit_on_signals() -> None:
    # The default is to die without clean-up.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
