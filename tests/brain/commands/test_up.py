"""The whole product under `manage.py up`: started, refused, killed, adopted, stopped."""

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.journeys.product import (
    Product,
    data_folder,
    environment,
    free_port,
    start,
    started,
)

pytestmark = pytest.mark.product
MEGABYTES = 500


def run(
    *command: str, root: Path, port: int, **variables: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR,
        env=environment(root, port) | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_it_says_what_is_embedded_where_it_lies_and_how_to_begin(product: Product) -> None:
    said = product.output()

    assert "embedded PostgreSQL" in said
    assert "embedded Valkey" in said
    assert f"{product.root}  <- all of it" in said
    assert re.search(rf"Ready after [\d.]+ s:  {re.escape(product.url)}\n", said)
    assert "Connect a first agent" in said
    assert "Ctrl-C stops everything" in said


def test_a_second_one_on_the_same_folder_is_refused(product: Product) -> None:
    refused = run("up", root=product.root, port=free_port())

    assert refused.returncode == 1
    assert f"already running on {product.root}" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_taken_port_is_refused_before_anything_starts(product: Product) -> None:
    with data_folder() as root:
        refused = run("up", root=root, port=product.port)
        made = {each.name for each in root.iterdir()}

    assert refused.returncode == 1
    assert f"Port {product.port} is taken" in refused.stderr
    assert "BRAIN_PORT=" in refused.stderr
    assert made == {"secrets.json", "up.lock"}


def test_the_doctor_finds_nothing_wrong_with_it(product: Product) -> None:
    report = run("doctor", "--json", root=product.root, port=product.port)

    found = json.loads(report.stdout)
    assert [each for each in found["checks"] if each["status"] != "ok"] == []
    assert report.returncode == 0
    assert {"worker", "scheduler", "port", "migrations"} < {c["check"] for c in found["checks"]}


def test_a_command_beside_it_leaves_it_running(product: Product) -> None:
    done = run("create_space", "up@example.org", "Up", root=product.root, port=product.port)

    assert done.returncode == 0, done.stderr
    assert product.supervisor.poll() is None


def test_idle_it_needs_less_memory_than_promised() -> None:
    # One of its own: the shared one has searched, and so loaded the models.
    with data_folder() as root, started(root) as product:
        kilobytes = [
            int(match.group(1))
            for process in product.processes()
            if (match := re.search(r"^Pss: +(\d+)", memory_of(process), re.MULTILINE))
        ]

    assert 0 < sum(kilobytes) / 1024 < MEGABYTES


def memory_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return ""


def children_of(product: Product) -> dict[str, int]:
    """Return the supervisor's children by the word that tells them apart."""
    words = {"valkey-server": "valkey", " worker ": "worker", " beat ": "beat", "uvicorn": "web"}
    found: dict[str, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = re.search(r"^PPid:\s+(\d+)", (folder / "status").read_text(), re.MULTILINE)
            # The text of a -W option names the worker too.
            command = (folder / "cmdline").read_text().replace("\0", " ").split("celery", 1)[-1]
        except OSError:
            continue
        if parent is not None and int(parent.group(1)) == product.supervisor.pid:
            found |= {name: int(folder.name) for word, name in words.items() if word in command}
    return found


@pytest.fixture
def begin() -> Iterator[Callable[[], Product]]:
    """Return a function that starts a product, again and again on the same folder and port."""
    port, begun = free_port(), []
    with data_folder() as root:

        def start_again() -> Product:
            begun.append(start(root, port))
            return begun[-1]

        yield start_again
        for each in begun:
            each.kill_everything()


def test_it_survives_kills_and_leaves_nothing_behind_when_it_stops(
    begin: Callable[[], Product],
) -> None:
    first = begin()
    children = children_of(first)
    watched = [os.pidfd_open(process) for process in children.values()]
    first.supervisor.kill()
    first.supervisor.wait()

    # The children go with their parent; the database stays, and the next start adopts it.
    for each in watched:
        assert select.select([each], [], [], 30)[0]
        os.close(each)
    second = begin()
    assert set(children_of(second)) == set(children) == {"valkey", "worker", "beat", "web"}
    os.kill(children_of(second)["worker"], signal.SIGKILL)

    assert second.supervisor.wait(60) == 1
    assert "The worker ended by itself (signal 9)" in second.output()
    assert second.processes() == []

    third = begin()
    third.supervisor.send_signal(signal.SIGTERM)

    assert third.supervisor.wait(60) == 0
    assert third.output().rstrip().endswith("Stopped.")
    assert "Traceback" not in third.output()
    assert third.processes() == []
