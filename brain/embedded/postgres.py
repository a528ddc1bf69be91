"""The embedded PostgreSQL: whoever needs it joins, and the last one stops it."""

import os
import socket

from brain.embedded import locks
from brain.embedded.accounts import server_account
from brain.embedded.binaries import postgres_programs
from brain.embedded.cluster import Cluster, server_is_running
from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import DataFolder
from brain.embedded.roles import PORT, Preparation


class EmbeddedPostgres:
    """The server of one data folder, shared by any number of processes in any order.

    Each user holds a shared lock on `users.lock`; the one that can make it exclusive when it
    leaves is the last. A killed user is forgotten by the kernel, a killed server is started
    again by the next user, and a server that outlived its users is adopted.
    """

    def __init__(self, folder: DataFolder, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        self._cluster: Cluster | None = None
        self._membership: int | None = None

    def acquire(self) -> bool:
        """Join the users of the server; return whether it had to be started for it."""
        if self._membership is not None:
            raise RuntimeError("This process uses the server already.")
        credentials = self.folder.credentials()
        cluster = self._open_cluster()
        with locks.exclusive(self.folder.root / "start.lock"):
            cold = not server_is_running(self.folder)
            if cold:
                cluster.make(password=credentials.postgres)
                cluster.start()
            membership = locks.share(self.folder.root / "users.lock")
            try:
                # Inside the lock: two first starts would make the same roles at once.
                Preparation(self.folder.run, credentials).ensure()
            except BaseException:
                os.close(membership)
                raise
            self._membership = membership
        return cold

    def release(self) -> bool:
        """Leave the users of the server; the last one stops it, and then this returns True."""
        if self._membership is None:
            return False
        membership, self._membership = self._membership, None
        try:
            with locks.exclusive(self.folder.root / "start.lock"):
                if not locks.try_exclusive(membership):
                    return False
                self._open_cluster().stop()
                return True
        finally:
            os.close(membership)

    def alive(self) -> bool:
        """Tell whether somebody answers on the server's socket."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(2)
                client.connect(str(self.folder.run / f".s.PGSQL.{PORT}"))
        except OSError:
            return False
        return True

    def is_running(self) -> bool:
        """Tell whether the server's process lives, without bothering the server."""
        return server_is_running(self.folder)

    def parameters(self, role: str = "brain_app", database: str = "brain") -> dict[str, str]:
        """Return what psycopg needs to connect as `role`."""
        return {
            "host": str(self.folder.run),
            "port": str(PORT),
            "user": role,
            "password": getattr(self.folder.credentials(), role),
            "dbname": database,
        }

    def _open_cluster(self) -> Cluster:
        if self._cluster is None:
            account = server_account()
            self.folder.create()
            if not account.can_enter(self.folder.root):
                raise EmbeddedError(
                    f"PostgreSQL doesn't run as root, and the user '{account.name}' can't reach "
                    f"{self.folder.root}: a folder above it is closed. "
                    "Set BRAIN_DATA_DIR to an open place such as /var/lib/agents-brain."
                )
            account.make_private_folder(self.folder.run)
            programs = postgres_programs(account, copies=self.folder.root / "programs")
            self._cluster = Cluster(self.folder, account, programs, durable=self.durable)
        return self._cluster
