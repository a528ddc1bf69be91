"""`manage.py up`: starts the whole product, watches it, and stops it in order.

It reads Django's settings but loads no app: this process only waits, and stays small.
"""

import os
import sys
import time
from collections.abc import Callable

import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from brain.embedded import commands, locks, welcome
from brain.embedded.addresses import (
    broker_answers,
    connect_database,
    port_answers,
    refuse_taken_port,
)
from brain.embedded.children import start_child
from brain.embedded.errors import EmbeddedError
from brain.embedded.migrated import is_migrated, remember_migrated
from brain.embedded.postgres import EmbeddedPostgres
from brain.embedded.supervisor import Supervisor, describe_death, say
from brain.embedded.valkey import EmbeddedValkey

WEB_SECONDS = 60
# Whoever saves or searches never waits for a processor that makes vectors.
IN_THE_BACKGROUND = 10


def run_product() -> int:
    """Run everything until it is stopped; return the exit code of the process."""
    since = time.monotonic()
    try:
        with Supervisor() as supervisor:
            if _start(supervisor):
                say(welcome.ready(seconds=time.monotonic() - since))
                supervisor.wait()
            say("Stopping …")
    except (EmbeddedError, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    say("Stopped.")
    return 0


def _start(supervisor: Supervisor) -> bool:
    """Start one thing after the other; return False when somebody asks to stop meanwhile."""
    steps: list[Callable[[Supervisor], None]] = [
        _become_the_only_one,
        _start_broker,
        _prepare_database,
        _start_processes,
    ]
    for step in steps:
        step(supervisor)
        if supervisor.is_stopping:
            return False
    return supervisor.wait_until(
        lambda: port_answers(settings.HOST, port=settings.PORT), seconds=WEB_SECONDS
    )


def _become_the_only_one(supervisor: Supervisor) -> None:
    settings.FOLDER.create()
    lock = locks.open_lock(settings.DATA_DIR / "up.lock")
    supervisor.at_the_end(lambda: os.close(lock))
    if not locks.try_exclusive(lock, patience=0.5):
        raise EmbeddedError(
            f"Agents Brain is already running on {settings.DATA_DIR}. Stop it first, or give this "
            "one a folder of its own with BRAIN_DATA_DIR."
        )
    refuse_taken_port(settings.HOST, port=settings.PORT, patience=3)
    say(welcome.opening())


def _start_database(supervisor: Supervisor) -> None:
    if not settings.EMBEDDED_DATABASE:
        try:
            connect_database(settings.DATABASES["default"]).close()
        except psycopg.OperationalError as error:
            raise EmbeddedError(f"The database of DATABASE_URL doesn't answer: {error}") from error
        return
    postgres = EmbeddedPostgres(settings.FOLDER)
    supervisor.at_the_end(postgres.release)
    postgres.acquire()
    supervisor.watch(lambda: "" if postgres.is_running() else "The database ended by itself")


def _start_broker(supervisor: Supervisor) -> None:
    if not settings.EMBEDDED_BROKER:
        if problem := broker_answers(settings.BROKER_URL):
            raise EmbeddedError(f"The broker of BROKER_URL doesn't answer: {problem}")
        return
    valkey = EmbeddedValkey(settings.FOLDER)
    child = valkey.start()
    supervisor.keep(child, patience=10)


def _prepare_database(supervisor: Supervisor) -> None:
    # A command that starts meanwhile waits here, until there are tables.
    with locks.exclusive(settings.DATA_DIR / "prepare.lock"):
        _start_database(supervisor)
        if settings.EMBEDDED_DATABASE and is_migrated():
            return
        migration = start_child("migration", commands.migrate(), cwd=settings.BASE_DIR)
        if migration.process.wait():
            raise EmbeddedError(f"{describe_death(migration)}; what it said is above.")
        if settings.EMBEDDED_DATABASE:
            remember_migrated()


def _start_processes(supervisor: Supervisor) -> None:
    # Without this, a sign-in code would wait in a buffer instead of showing in the terminal.
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    for name, command, patience, niceness in (
        ("web server", commands.web(), 10, 0),
        ("worker", commands.worker(), 20, IN_THE_BACKGROUND),
        ("scheduler", commands.beat(), 10, IN_THE_BACKGROUND),
    ):
        child = start_child(
            name, command, cwd=settings.BASE_DIR, environment=environment, niceness=niceness
        )
        supervisor.keep(child, patience=patience)
