"""The installation that grows: settings that fit its size, and a restart with others."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.rows import superuser
from brain.embedded.accounts import server_account
from brain.embedded.binaries import postgres_programs
from brain.embedded.cluster import Cluster
from brain.embedded.folder import DataFolder
from brain.embedded.postgres import EmbeddedPostgres

# What docs/operating.md advises for a million memories; autovacuum would run into the figures.
FITTING = """\
shared_buffers = 2GB
maintenance_work_mem = 2GB
max_wal_size = 2GB
max_parallel_maintenance_workers = 3
autovacuum = off
"""
AS_SHIPPED = "autovacuum = off\n"


def restart(root: Path, settings: str) -> None:
    """Start PostgreSQL anew with these settings; whoever is connected loses the connection."""
    folder, account = DataFolder(root), server_account()
    programs = postgres_programs(account, copies=folder.root / "programs")
    cluster = Cluster(folder, account, programs, durable=True)
    (folder.pgdata / "local.conf").write_text(settings)
    account.own(folder.pgdata / "local.conf", mode=0o600)
    # Stopping writes what is only in memory, and waits for that no longer than a minute.
    with superuser(root) as connection:
        connection.execute("checkpoint")
    cluster.stop()
    cluster.start()


@contextmanager
def another_place(beside: Path) -> Iterator[Path]:
    """Give the data folder of a second, empty installation, and remove it at the end."""
    root = beside.with_name(f"brain-bench-{secrets.token_hex(4)}")
    postgres = EmbeddedPostgres(DataFolder(root))
    postgres.acquire()
    try:
        restart(root, FITTING)
        yield root
    finally:
        postgres.release()
        shutil.rmtree(root, ignore_errors=True)
