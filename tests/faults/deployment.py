"""The product as operators run it: a database and a broker elsewhere, several of each process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast
from urllib.parse import quote

import httpx
import redis

from brain.embedded.binaries import valkey_server
from brain.embedded.children import Child, start_child
from brain.embedded.folder import DataFolder
from brain.embedded.postgres import EmbeddedPostgres
from tests.faults import proxy
from tests.journeys.product import data_folder, environment, free_port

CODE = Path(__file__).parents[2]
PATIENCE = 90


@dataclass(frozen=True, slots=True)
class Plan:
    """What runs beside the database and the broker, of which code, with which settings."""

    webs: int = 2
    workers: int = 2
    has_scheduler: bool = False
    has_proxy: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    code: Path = CODE
    worker: Sequence[str] = ("-m", "celery")


@dataclass
class Deployment:
    """One database, one broker, web servers and workers; perhaps a scheduler and a proxy."""

    root: Path
    plan: Plan
    postgres: EmbeddedPostgres
    broker_port: int
    ports: Sequence[int]
    proxy_port: int = 0
    children: dict[str, Child] = field(default_factory=dict)

    @property
    def public_url(self) -> str:
        """Return the address that people and agents are told: the proxy's, if there is one."""
        return f"http://127.0.0.1:{self.proxy_port or self.ports[0]}"

    @property
    def environment(self) -> dict[str, str]:
        credentials = self.postgres.folder.credentials()
        place = quote(str(self.postgres.folder.run), safe="")

        def database(role: str) -> str:
            return f"postgresql://{role}:{getattr(credentials, role)}@{place}:5432/brain"

        return {
            **environment(self.root / "web", self.proxy_port or self.ports[0]),
            "DATABASE_URL": database("brain_app"),
            "DATABASE_OWNER_URL": database("brain_owner"),
            "BROKER_URL": f"redis://127.0.0.1:{self.broker_port}",
            "BRAIN_SECRET_KEY": credentials.secret_key,
            "BRAIN_EMBEDDER": "none",
            **({"BRAIN_TRUSTED_PROXIES": "127.0.0.1"} if self.proxy_port else {}),
            **self.plan.variables,
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
                   "--no-access-log", "--no-server-header", "--proxy-headers",
                   "--forwarded-allow-ips=127.0.0.1",
                   "--timeout-graceful-shutdown=20"]  # fmt: skip
        self._start(f"web{number}", command)
        self._wait_until(lambda: _answers(self.url(number)), f"web{number}")

    def start_worker(self, number: int) -> None:
        command = [sys.executable, *self.plan.worker, "--quiet", "--app=brain", "worker",
                   "--pool=threads", "--concurrency=2", "--loglevel=WARNING",
                   f"--hostname=worker{number}@%h"]  # fmt: skip
        self._start(f"worker{number}", command)
        self._wait_until(lambda: self._is_consuming(number), f"worker{number}")

    def _is_consuming(self, number: int) -> bool:
        """Say whether the worker has come to listen to what operators tell workers."""
        with redis.Redis(port=self.broker_port) as broker:
            listening = broker.smembers("_kombu.binding.celery.pidbox")
        return any(f"worker{number}@".encode() in each for each in cast("set[bytes]", listening))

    def start_scheduler(self) -> None:
        command = [sys.executable, *self.plan.worker, "--quiet", "--app=brain", "beat",
                   "--pidfile=", f"--schedule={self.root / 'beat'}",
                   "--loglevel=WARNING"]  # fmt: skip
        self._start("scheduler", command)

    def start_proxy(self) -> None:
        folder = self.root / "proxy"
        folder.mkdir(exist_ok=True)
        upstreams = [f"127.0.0.1:{port}" for port in self.ports]
        command = proxy.command(folder, upstreams=upstreams)
        self._start("proxy", command, proxy.variables(folder, port=self.proxy_port))
        self._wait_until(lambda: _answers(self.public_url), "proxy")

    def start(self) -> None:
        """Start what the plan has, on a new database."""
        self.start_broker()
        self.manage("migrate", "--no-input", "--verbosity=0")
        for number in range(self.plan.webs):
            self.start_web(number)
        for number in range(self.plan.workers):
            self.start_worker(number)
        if self.plan.has_scheduler:
            self.start_scheduler()
        if self.plan.has_proxy:
            self.start_proxy()

    def _start(
        self, name: str, command: Sequence[str], variables: Mapping[str, str] | None = None
    ) -> None:
        # libpq's own variable: PostgreSQL says of each connection whose it is.
        more = {"PGAPPNAME": name, **(variables or {})}
        with (self.root / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=self.plan.code, env=self.environment | more, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.children[name] = Child(name, process)

    def _wait_until(self, is_there: Callable[[], bool], name: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_there():
            is_lost = self.children[name].died() or time.monotonic() > deadline
            assert not is_lost, f"{name} did not start:\n{self.log(name)}"
            time.sleep(0.1)

    def ended(self) -> list[str]:
        """Return the names of what has ended by itself."""
        return [name for name, child in self.children.items() if child.died()]

    def log(self, name: str) -> str:
        return (self.root / f"{name}.log").read_text(errors="replace")

    def url(self, number: int) -> str:
        return f"http://127.0.0.1:{self.ports[number]}"

    def kill(self, name: str) -> None:
        self.children[name].process.kill()
        self.children[name].process.wait(30)

    def end(self, name: str) -> None:
        """Ask it to end, as operators do, and wait until it has."""
        self.children[name].stop(patience=60)

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
        return self.python("manage.py", *command)

    def python(self, *arguments: str) -> str:
        """Run Python beside the product, on its code and with its settings."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.plan.code, env=self.environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self) -> None:
        for child in reversed(list(self.children.values())):
            child.stop(patience=20)
        self.postgres.release()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/sign-in/", timeout=5).is_success
    except httpx.TransportError:
        return False


@contextmanager
def deployed(plan: Plan | None = None) -> Iterator[Deployment]:
    """Start all of it, and end all of it afterwards."""
    plan = plan or Plan()
    with data_folder() as root:
        postgres = EmbeddedPostgres(DataFolder(root))
        ports = [free_port() for _ in range(plan.webs)]
        proxy_port = free_port() if plan.has_proxy else 0
        deployment = Deployment(root, plan, postgres, free_port(), ports, proxy_port)
        try:
            postgres.acquire()
            deployment.start()
            yield deployment
        finally:
            deployment.stop()
