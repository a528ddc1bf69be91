import os
import signal
import sys
from pathlib import Path

import pytest

from brain.embedded.children import Child, start_child
from brain.embedded.errors import EmbeddedError
from brain.embedded.supervisor import Supervisor

ROOT = Path("/")
WAITS = [sys.executable, "-c", "import signal; signal.pause()"]
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"


def waiting_child(name: str) -> Child:
    return start_child(name, WAITS, cwd=ROOT, quiet=True)


def test_a_death_names_the_dead_and_stops_the_rest() -> None:
    worker, web = waiting_child("worker"), waiting_child("web server")

    with Supervisor() as supervisor:
        supervisor.keep(worker, patience=5)
        supervisor.keep(web, patience=5)
        worker.process.kill()
        with pytest.raises(EmbeddedError, match=r"The worker ended by itself \(signal 9\)"):
            supervisor.wait()

    assert web.process.returncode == -signal.SIGTERM


def test_an_exit_code_is_named_too() -> None:
    child = start_child("migration", [sys.executable, "-c", "raise SystemExit(3)"], cwd=ROOT)
    child.process.wait()

    with Supervisor() as supervisor:
        supervisor.keep(child, patience=5)
        with pytest.raises(EmbeddedError, match=r"exit code 3"):
            supervisor.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_signal_that_asks_to_stop_stops_the_last_first(number: signal.Signals) -> None:
    order: list[str] = []
    before = signal.getsignal(number)

    with Supervisor() as supervisor:
        supervisor.at_the_end(lambda: order.append("database"))
        supervisor.at_the_end(lambda: order.append("web server"))
        os.kill(os.getpid(), number)
        supervisor.wait()

    assert order == ["web server", "database"]
    assert signal.getsignal(number) == before


def test_a_child_that_ignores_the_request_is_ended() -> None:
    child = start_child("worker", [sys.executable, "-c", STUBBORN], cwd=ROOT, quiet=True)

    child.stop(patience=0)

    assert child.process.returncode in {-signal.SIGKILL, -signal.SIGTERM}


def test_waiting_for_something_ends_when_somebody_asks_to_stop() -> None:
    with Supervisor() as supervisor:
        os.kill(os.getpid(), signal.SIGTERM)

        assert supervisor.wait_until(lambda: False, seconds=30) is False


def test_waiting_for_something_has_an_end() -> None:
    with (
        pytest.raises(EmbeddedError, match=r"did not answer within 0 seconds"),
        Supervisor() as supervisor,
    ):
        supervisor.wait_until(lambda: False, seconds=0)


def test_what_works_in_the_background_steps_back_for_the_others() -> None:
    worker = start_child("worker", WAITS, cwd=ROOT, quiet=True, niceness=7)
    web = waiting_child("web server")

    with Supervisor() as supervisor:
        supervisor.keep(worker, patience=5)
        supervisor.keep(web, patience=5)
        given = [os.getpriority(os.PRIO_PROCESS, each.process.pid) for each in (worker, web)]

    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert given == [min(ours + 7, 19), ours]
