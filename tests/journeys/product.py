"""The whole product as its users start it: `manage.py up` on a folder and a port of its own."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from django.conf import settings

from tests import cluster

STARTS_WITHIN = 240


@dataclass
class Product:
    """A started product; `terminal` is the file that its output goes to."""

    root: Path
    port: int
    terminal: Path
    supervisor: "subprocess.Popen[bytes]"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def output(self) -> str:
        return self.terminal.read_text(errors="replace")

    def code_for(self, email: str) -> str:
        """Return the newest sign-in code that the terminal shows for the address."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            mails = self.output().split(f"MAIL to {email}")[1:]
            if mails and (found := re.findall(r"^\s*(\d{3} ?\d{3})\s*$", mails[-1], re.MULTILINE)):
                return str(found[0]).replace(" ", "")
            time.sleep(0.05)
        raise AssertionError("No code was printed.")

    def manage(self, *command: str) -> dict[str, str]:
        """Run a command beside the product and return the JSON that it prints."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command, "--json"],
            cwd=settings.BASE_DIR,
            env=environment(self.root, self.port),
            capture_output=True,
            check=True,
        )
        printed: dict[str, str] = json.loads(done.stdout)
        return printed

    def run_python(self, statements: str) -> None:
        """Run statements in a process of the product, beside it."""
        subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", statements],
            cwd=settings.BASE_DIR,
            env=environment(self.root, self.port),
            check=True,
        )

    def stop(self) -> int:
        """Ask it to stop, as Ctrl-C does, and return its exit code."""
        self.supervisor.send_signal(signal.SIGINT)
        return self.supervisor.wait(60)

    def kill_everything(self) -> None:
        """SIGKILL every process that has the data folder in its command or environment."""
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.supervisor.wait(30)

    def processes(self) -> list[int]:
        """Return the ids of all processes of this product and no other."""
        return [
            int(folder.name)
            for folder in Path("/proc").iterdir()
            if folder.name.isdecimal()
            and int(folder.name) != os.getpid()
            and str(self.root) in _words_of(folder)
        ]


def _words_of(process: Path) -> str:
    texts = []
    for name in ("cmdline", "environ", "cwd"):
        path = process / name
        try:
            texts.append(
                str(path.readlink()) if name == "cwd" else path.read_text(errors="replace")
            )
        except OSError:
            continue
    return " ".join(texts)


def environment(root: Path, port: int) -> dict[str, str]:
    """Return the environment of a product, without anything of the test run."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("BRAIN_", "DJANGO_", "PYTEST_"))
    }
    return kept | {
        "BRAIN_DATA_DIR": str(root),
        "BRAIN_PORT": str(port),
        "DJANGO_SETTINGS_MODULE": "brain.settings",
        # Tests under load and benchmarks call more often than any agent; counting goes on.
        "BRAIN_MEMORIES_PER_SPACE": "1000000",
        **{f"BRAIN_LIMIT_MCP_{who}": "1000000/minute" for who in ("TOKEN", "ACCOUNT", "NETWORK")},
        "BRAIN_LIMIT_REGISTRATIONS": "10000/hour",
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(root: Path, *, port: int = 0) -> Iterator[Product]:
    """Start the product, wait until it answers, and end all of it afterwards."""
    product = start(root, port or free_port())
    try:
        yield product
    finally:
        if product.supervisor.poll() is None:
            product.stop()


def start(root: Path, port: int) -> Product:
    terminal = root.parent / f"{root.name}.terminal"
    with terminal.open("ab") as output:
        supervisor = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=settings.BASE_DIR,
            env=environment(root, port),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    product = Product(root, port, terminal, supervisor)
    _wait_until_it_answers(product)
    return product


def _wait_until_it_answers(product: Product) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline:
        assert product.supervisor.poll() is None, product.output()
        try:
            if httpx.get(f"{product.url}/sign-in/").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"It did not start:\n{product.output()}")


@contextmanager
def data_folder() -> Iterator[Path]:
    """Make a data folder that PostgreSQL's own user can reach, and remove it at the end."""
    folder = cluster.new_folder()
    try:
        yield folder.root
    finally:
        for place in (folder.run, folder.root):
            shutil.rmtree(place, ignore_errors=True)
        folder.root.with_name(f"{folder.root.name}.terminal").unlink(missing_ok=True)
