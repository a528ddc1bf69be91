"""A PostgreSQL cluster on disk: made once, started, stopped; never deleted."""

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from brain.embedded.accounts import ServerAccount
from brain.embedded.binaries import major_version
from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import DataFolder
from brain.embedded.memory import building_memory

SETTINGS = """\
# Written by Agents Brain at each start; put your own settings into local.conf beside this file.
listen_addresses = ''
unix_socket_permissions = 0700
password_encryption = scram-sha-256
max_connections = 100
shared_buffers = 128MB
jit = off
# A new space's first hundreds of rows should be known to the planner soon.
autovacuum_naptime = 10s
# Several may run at once, each beside the others.
autovacuum_work_mem = 64MB
timezone = 'UTC'
log_timezone = 'UTC'
log_checkpoints = off
# Statements and rows hold what people wrote, and that never reaches a log.
log_min_error_statement = panic
log_error_verbosity = terse
"""
NOT_DURABLE = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"
TRIES = 40
LARGEST_LOG = 5_000_000


@dataclass(frozen=True, slots=True)
class Cluster:
    """The files and the server process of one data folder; the caller holds the start lock."""

    folder: DataFolder
    account: ServerAccount
    programs: Path
    durable: bool

    @property
    def log(self) -> Path:
        return self.folder.logs / "postgres.log"

    def make(self, *, password: str) -> None:
        """Run initdb unless the cluster is there; a start that was killed midway leaves nothing."""
        if self.folder.pgdata.exists():
            self._check_version()
            return
        # initdb writes its marks early: under its real name, half a cluster would look whole.
        draft = self.folder.root / "pgdata.new"
        shutil.rmtree(draft, ignore_errors=True)
        self.account.make_private_folder(draft)
        password_file = self.folder.run / "password"
        password_file.touch(mode=0o600)
        password_file.write_text(password + "\n")
        self.account.own(password_file, mode=0o600)
        try:
            outcome = self._run(
                "initdb", f"--pgdata={draft}", "--username=postgres", f"--pwfile={password_file}",
                "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-instructions",
                "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
                *([] if self.durable else ["--no-sync"]),
            )  # fmt: skip
        finally:
            password_file.unlink()
        if outcome.returncode:
            raise EmbeddedError(f"PostgreSQL couldn't make its files:\n{outcome.stdout.strip()}")
        with (draft / "postgresql.conf").open("a") as file:
            file.write("\ninclude_if_exists = 'brain.conf'\ninclude_if_exists = 'local.conf'\n")
        draft.rename(self.folder.pgdata)

    def start(self) -> None:
        """Start the server and wait until it answers, or is on its way through recovery."""
        self._prepare_files()
        for _ in range(TRIES):
            since = self.log.stat().st_size
            outcome = self._run(
                "pg_ctl", f"--pgdata={self.folder.pgdata}", f"--log={self.log}", "--silent",
                "--wait", "--timeout=60", f"--options=-k '{self.folder.run}'", "start",
                quiet=True,
            )  # fmt: skip
            if outcome.returncode == 0 or server_is_running(self.folder):
                return
            said = self.log.read_bytes()[since:].decode(errors="replace")
            if "lock file" not in said and "shared memory block" not in said:
                break
            self._forget_dead_server()
        raise EmbeddedError(f"PostgreSQL did not start ({self.log}):\n{said.strip()[-2000:]}")

    def stop(self) -> None:
        """Stop the server; what it acknowledged is on disk."""
        self._run(
            "pg_ctl", f"--pgdata={self.folder.pgdata}", "--mode=fast", "--wait", "--silent",
            "--timeout=60", "stop", quiet=True,
        )  # fmt: skip

    def _check_version(self) -> None:
        made_by = (self.folder.pgdata / "PG_VERSION").read_text().strip()
        ours = major_version(self.programs)
        if made_by != ours:
            raise EmbeddedError(
                f"The database in {self.folder.pgdata} was made by PostgreSQL {made_by}, and this "
                f"release brings PostgreSQL {ours}. Nothing was changed. Write it out with the "
                "release that made it (pg_dump), move the folder away, start this release and "
                "load it (psql)."
            )

    def _prepare_files(self) -> None:
        ours = self.folder.pgdata / "brain.conf"
        building = f"maintenance_work_mem = {building_memory()}MB\n"
        ours.write_text(SETTINGS + building + ("" if self.durable else NOT_DURABLE))
        self.account.own(ours, mode=0o600)
        self.folder.logs.mkdir(mode=0o711, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > LARGEST_LOG:
            self.log.replace(self.log.with_suffix(".log.1"))
        self.log.touch(mode=0o600)
        self.account.own(self.log, mode=0o600)

    def _forget_dead_server(self) -> None:
        # After a kill, a zombie (or another program with its number after a reboot) keeps the
        # old lock file alive; when nobody works in the folder any more, the file is stale.
        if not living_processes_in(self.folder.pgdata, default=0):
            (self.folder.pgdata / "postmaster.pid").unlink(missing_ok=True)
        time.sleep(0.25)

    def _run(
        self, program: str, *arguments: str, quiet: bool = False
    ) -> subprocess.CompletedProcess[str]:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PG", "LC_", "LANG"))
        }
        return subprocess.run(  # noqa: S603
            [str(self.programs / program), *arguments],
            env=environment | {"LC_ALL": "C"},
            cwd="/",
            user=self.account.uid,
            group=self.account.gid,
            extra_groups=None if self.account.uid is None else [],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            # The server inherits these: a pipe would stay open for as long as it runs.
            stdout=subprocess.DEVNULL if quiet else subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


def server_is_running(folder: DataFolder) -> bool:
    """Tell whether the server's process lives; a zombie or a reused number doesn't count."""
    try:
        pid = int((folder.pgdata / "postmaster.pid").read_text().split("\n", 1)[0])
        os.kill(pid, 0)
    except (OSError, ValueError):
        return False
    return pid in living_processes_in(folder.pgdata, default=pid)


def living_processes_in(folder: Path, *, default: int) -> set[int]:
    """Return the processes that work in `folder`; where that can't be seen, just `default`."""
    processes = Path("/proc")
    if not (processes / "self" / "cwd").exists():
        return {default}
    found, wanted = set(), folder.resolve()
    for link in processes.glob("[0-9]*/cwd"):
        try:
            # A zombie has no working directory any more.
            if link.readlink() == wanted:
                found.add(int(link.parent.name))
        except OSError:
            continue
    return found
