"""Bring a backup back, into a place that holds nothing yet."""

from pathlib import Path

import psycopg
from psycopg import sql

from brain.management.dumps.programs import DumpError, Server, run

_DRAFT, _BEFORE = "brain_restoring", "brain_before_restore"
_PEOPLE = "select count(*) from accounts_user"


def restore(server: Server, *, source: Path, owner: str) -> None:
    """Replace the empty database by the backup, in one step at the end.

    Until then everything happens in a database beside it, so that a bad file changes nothing.
    `owner` is the role that owns the tables. Raises DumpError.
    """
    if not source.is_file():
        raise DumpError(f"There is no file {source}.")
    _refuse_if_used(server)
    with _connected(server, "postgres") as connection:
        _drop(connection, _DRAFT)
        # As a copy of template1, which has the extensions that only a superuser may make.
        _execute(connection, "create database {} owner {}", _DRAFT, owner)
        try:
            # Comments on extensions need a superuser, and say nothing. In one job: several would
            # switch row-level security on before the references are checked, which then fails.
            run(
                "pg_restore", "--exit-on-error", "--no-password", "--no-owner", "--no-comments",
                f"--role={owner}", f"--dbname={_DRAFT}", str(source),
                at=server,
            )  # fmt: skip
            _swap(connection, server.database)
        finally:
            _drop(connection, _DRAFT)


def _refuse_if_used(server: Server) -> None:
    try:
        with _connected(server, server.database) as connection:
            row = connection.execute(_PEOPLE).fetchone()
    except psycopg.errors.UndefinedTable:
        return
    if row and row[0]:
        raise DumpError(
            f"There are {row[0]} accounts here already. Restore into an empty place: another "
            "BRAIN_DATA_DIR, or an empty database."
        )


def _swap(connection: psycopg.Connection[tuple[object, ...]], database: str) -> None:
    _drop(connection, _BEFORE)
    connection.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", [database]
    )
    _execute(connection, "alter database {} rename to {}", database, _BEFORE)
    _execute(connection, "alter database {} rename to {}", _DRAFT, database)
    _drop(connection, _BEFORE)


def _drop(connection: psycopg.Connection[tuple[object, ...]], database: str) -> None:
    _execute(connection, "drop database if exists {} with (force)", database)


def _execute(
    connection: psycopg.Connection[tuple[object, ...]], statement: str, *names: str
) -> None:
    identifiers = [sql.Identifier(name) for name in names]
    connection.execute(sql.SQL(statement).format(*identifiers))


def _connected(server: Server, database: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(
        host=server.host,
        port=server.port,
        user=server.user,
        password=server.password,
        dbname=database,
        autocommit=True,
    )
