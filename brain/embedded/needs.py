"""Gives each command of `manage.py` the data services it needs, running product or not."""

import contextlib
import sys
from collections.abc import Iterator, Sequence

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, execute_from_command_line
from django.db import connections

from brain.embedded import locks
from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import may_write
from brain.embedded.migrated import is_migrated, remember_migrated
from brain.embedded.postgres import EmbeddedPostgres
from brain.embedded.product import run_product
from brain.management.owner import disconnect

# These answer without a database, or (`up`) bring their own.
WITHOUT_DATABASE = frozenset(
    {
        *("calibrate_embedder", "check", "collectstatic", "compilemessages", "diffsettings"),
        *("doctor", "export_openapi", "export_openapi_schema", "findstatic", "help"),
        *("makemessages", "makemigrations"),
        *("sendtestemail", "startapp", "startproject", "test", "up", "version"),
    }
)
# These are about the migrations themselves, so none are applied before them.
# A backup is of what there is: it is wanted before the migrations.
ABOUT_MIGRATIONS = frozenset(
    {"backup", "doctor", "migrate", "optimizemigration", "showmigrations", "sqlmigrate"}
)


def run_command(argv: Sequence[str]) -> int:
    """Run one command line; what a person can mend ends in a sentence, not in a traceback."""
    try:
        if list(argv[1:]) == ["up"]:
            # Past Django's registry of apps, which this process would only carry around.
            return run_product()
        with services_for(argv):
            try:
                execute_from_command_line(list(argv))
            finally:
                # Before the server goes: a pool reports every connection that it loses.
                _disconnect_all()
    except EmbeddedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except ImproperlyConfigured as error:
        if settings.configured:
            raise
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _disconnect_all() -> None:
    if settings.configured:
        for connection in connections.all(initialized_only=True):
            disconnect(connection)


@contextlib.contextmanager
def services_for(argv: Sequence[str]) -> Iterator[None]:
    """Hold the embedded PostgreSQL while the command runs, if it needs one and has none."""
    command = argv[1] if len(argv) > 1 else "help"
    asks_for_help = not {"-h", "--help", "--version"}.isdisjoint(argv[1:])
    makes_nothing = asks_for_help or command in WITHOUT_DATABASE
    if makes_nothing:
        # Asking for help, or for a diagnosis, makes no data folder.
        may_write.set(command == "up")
    if makes_nothing and not _looks_at_upgrade(argv):
        if command == "makemigrations" and not asks_for_help:
            # It asks a database for history and lives without; a pool would try for ten seconds.
            options = settings.DATABASES["default"]["OPTIONS"]
            assert isinstance(options, dict)
            options.pop("pool", None)
        yield
    elif not settings.EMBEDDED_DATABASE:
        yield
    else:
        with _embedded_postgres(wants_tables=command not in ABOUT_MIGRATIONS):
            yield


def _looks_at_upgrade(argv: Sequence[str]) -> bool:
    """Say whether this is the one diagnosis that looks into a database which may be stopped."""
    return list(argv[1:2]) == ["doctor"] and "--upgrade" in argv and settings.FOLDER.pgdata.exists()


@contextlib.contextmanager
def _embedded_postgres(*, wants_tables: bool) -> Iterator[None]:
    postgres = EmbeddedPostgres(settings.FOLDER)
    try:
        with locks.exclusive(settings.DATA_DIR / "prepare.lock"):
            if postgres.acquire():
                # Standard output belongs to the command: a script may be reading it.
                sys.stderr.write(f"Started the embedded PostgreSQL in {settings.DATA_DIR}.\n")
            # A running product has tables, and they are not changed under its feet.
            is_up = locks.is_held(settings.DATA_DIR / "up.lock")
            if wants_tables and not is_up and not is_migrated():
                django.setup()
                call_command("migrate", verbosity=0, interactive=False, stdout=sys.stderr)
                remember_migrated()
        yield
    finally:
        postgres.release()
