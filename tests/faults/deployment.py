"""The product as operators run it: a database and a broker elsewhere, two of each process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import httpx
from django.conf import settings

from brain.embedded.binaries import valkey_server
from brain.embedded.children import Child, start_child
from brain.embedded.folder import DataFolder
from brain.embedded.postgres import EmbeddedPostgres
from tests.journeys.product import data_folder, environment, free_port

PATIENCE = 90


@dataclass
class Deployment:
    """One database, one broker, two web servers and two workers."""

    root: Path
    postgres: EmbeddedPostgres
    broker_port: int
    ports: tuple[int, int]
    children: dict[str, Child] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        credentials = self.postgres.folder.credentials()
        place = quote(str(self.postgres.folder.run), safe="")

        def database(role: str) -> str:
            return f"postgresql://{role}:{getattr(credentials, role)}@{place}:5432/brain"

        return environment(self.root / "web", self.ports[0]) | {
            "DATABASE_URL": database("brain_app"),
            "DATABASE_OWNER_URL": database("brain_owner"),
            "BROKER_URL": f"redis://127.0.0.1:{self.broker_port}",
            "BRAIN_SECRET_KEY": credentials.secret_key,
            "BRAIN_EMBEDDER": "none",
        }

    def start_broker(self) -> None:
        folder = self.root / "broker"
        folder.mkdir(exist_ok=True)
        command = [str(valkey_server()), "--port", str(self.broker_port), "--bind", "127.0.0.1",
                   "--dir", str(folder), "--appendonly", "yes", "--save", ""]  # fmt: skip
        self.children["broker"] = start_child("broker", command, cwd=folder, quiet=True)

    def start_web(self, number: int) -> None:
        command = [sys.executable, "-m", "uvicorn", "brain.asgi:application",
                   "--host=127.0.0.1", f"--port={self.ports[number]}", "--log-level=warning",
                   "--no-access-log"]  # fmt: skip
        self._start(f"web{number}", command)
        deadline = time.monotonic() + PATIENCE
        while not self.answers(number):
            assert time.monotonic() < deadline, self.log(f"web{number}")
            time.sleep(0.1)

    def start_worker(self, number: int) -> None:
        command = [sys.executable, "-m", "celery", "--quiet", "--app=brain", "worker",
                   "--pool=threads", "--concurrency=2", "--loglevel=WARNING",
                   f"--hostname=worker{number}@%h"]  # fmt: skip
        self._start(f"worker{number}", command)

    def _start(self, name: str, command: list[str]) -> None:
        with (self.root / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=settings.BASE_DIR, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.children[name] = Child(name, process)

    def log(self, name: str) -> str:
        return (self.root / f"{name}.log").read_text(errors="replace")

    def answers(self, number: int) -> bool:
        try:
            return httpx.get(f"{self.url(number)}/sign-in/", timeout=5).is_success
        except httpx.TransportError:
            return False

    def url(self, number: int) -> str:
        return f"http://127.0.0.1:{self.ports[number]}"

    def kill(self, name: str) -> None:
        self.children[name].process.kill()
        self.children[name].process.wait(30)

    def database_process(self) -> int:
        file = self.postgres.folder.pgdata / "postmaster.pid"
        return int(file.read_text().split("\n", 1)[0])

    def kill_database(self) -> None:
        os.kill(self.database_process(), signal.SIGKILL)

    def restart_database(self) -> None:
        """Start it again after a kill, or stop and start it as an upgrade does."""
        self.postgres.release()
        self.postgres.acquire()

    def manage(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *command], cwd=settings.BASE_DIR, env=self.environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self) -> None:
        for child in reversed(list(self.children.values())):
            child.stop(patience=20)
        self.postgres.release()


@contextmanager
def deployed() -> Iterator[Deployment]:
    """Start all of it, and end all of it afterwards."""
    with data_folder() as root:
        postgres = EmbeddedPostgres(DataFolder(root))
        deployment = Deployment(root, postgres, free_port(), (free_port(), free_port()))
        try:
            postgres.acquire()
            deployment.start_broker()
            deployment.manage("migrate", "--no-input", "--verbosity=0")
            for number in (0, 1):
                deployment.start_web(number)
                deployment.start_worker(number)
            yield deployment
        finally:
            deployment.stop()
