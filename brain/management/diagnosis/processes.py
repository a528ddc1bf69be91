"""The running product: its port, the broker, the worker and the scheduler."""

import time
from collections.abc import Iterator

from django.conf import settings

from brain.celery import app
from brain.embedded import locks
from brain.embedded.addresses import broker_answers, port_answers, refuse_taken_port
from brain.embedded.errors import EmbeddedError
from brain.embedded.valkey import EmbeddedValkey
from brain.management.diagnosis.findings import Finding, ok, problem, skipped

# The scheduler writes its file at least every three minutes.
LONGEST_SILENCE = 600
WORKER_SECONDS = 2


def processes() -> Iterator[Finding]:
    """Look at what runs, and at what would keep it from running."""
    is_up = locks.is_held(settings.DATA_DIR / "up.lock")
    yield _port(is_up=is_up)
    broker = _broker()
    yield broker
    if broker.status == "ok":
        yield _worker()
    if is_up:
        yield _scheduler()


def _port(*, is_up: bool) -> Finding:
    address = f"{settings.HOST}:{settings.PORT}"
    if is_up and port_answers(settings.HOST, port=settings.PORT):
        return ok("port", f"{address}, Agents Brain answers")
    try:
        refuse_taken_port(settings.HOST, port=settings.PORT)
    except EmbeddedError as error:
        return problem("port", address, remedy=str(error))
    return ok("port", f"{address} is free")


def _broker() -> Finding:
    if settings.EMBEDDED_BROKER:
        if EmbeddedValkey(settings.FOLDER).alive():
            return ok("broker", "embedded, answers")
        return skipped("broker", "embedded, not running; `make run` starts it")
    if reason := broker_answers(settings.BROKER_URL):
        return problem("broker", f"doesn't answer: {reason}", remedy="check BROKER_URL")
    return ok("broker", "external, answers")


def _worker() -> Finding:
    try:
        answers = app.control.ping(timeout=WORKER_SECONDS)
    except OSError as error:
        return problem("worker", f"can't be asked: {error}", remedy="check the broker")
    finally:
        app.close()
    if not answers:
        return problem("worker", "none answers", remedy="start one: celery --app=brain worker")
    return ok("worker", f"{len(answers)} answer")


def _scheduler() -> Finding:
    # Python's dbm decides how many files there are, and what they are called.
    traces = [each.stat().st_mtime for each in settings.DATA_DIR.glob("beat-schedule*")]
    if not traces:
        return problem("scheduler", "has left no trace", remedy="stop and start Agents Brain")
    silence = time.time() - max(traces)
    if silence > LONGEST_SILENCE:
        return problem(
            "scheduler", f"silent for {silence:.0f} s", remedy="stop and start Agents Brain"
        )
    return ok("scheduler", f"heard of {silence:.0f} s ago")
