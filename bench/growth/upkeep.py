"""What PostgreSQL has to do behind changes: vacuum, indexes anew, one index more.

Import it only where Django is set up.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import psycopg
from psycopg import sql

from bench.growth import churn
from bench.growth.asking import save
from bench.growth.indexes import megabytes
from bench.growth.measuring import cost_of, heading, step
from bench.growth.texts import Texts
from bench.meanwhile import Saves
from bench.rows import Connection
from spaces.models import Space

WORDS, MEANING, VECTORS = "memories_by_word", "nearest_of_builtin_e5", "memories_memoryvector"
_AGAIN = ("index, built anew", "MB before", "MB after")
_GIVEN_UP = {True: "", False: ", given up"}
_FOUND = ("dead rows before", "dead after", "free MB before", "free MB after")
_STATE = "select dead_tuple_count, approx_free_space / 1e6 from pgstattuple_approx(%s::regclass)"
_SOME_MORE = "delete from memories_memoryvector where hashtext(memory_id::text) & 31 = 0"
_PROBE = "create index concurrently growth_probe on memories_memory (space_id, author, updated_at)"


def change(connection: Connection, *, root: Path) -> None:
    """Change and delete some of the memories."""
    heading("step")
    connection.execute("set session_replication_role = replica")
    step("one memory in forty gets another text", root, lambda: churn.change(connection))
    step("one memory in forty is deleted", root, lambda: churn.delete(connection))
    connection.execute("set session_replication_role = origin")


def print_vacuum(connection: Connection, *, root: Path) -> None:
    """Vacuum all tables but that of the vectors, and print what it does."""
    heading("vacuum of", *_FOUND)
    with _looked_into(connection):
        for table in churn.TABLES:
            if table != VECTORS:
                _print_vacuum_of(connection, table, root=root)


def print_words_again(connection: Connection, *, root: Path) -> None:
    heading(*_AGAIN)
    _print_again(connection, WORDS, root=root)


def print_vectors_again(connection: Connection, *, root: Path, at_most: int) -> None:
    """Vacuum the vectors; then delete some more, build their index anew first, and vacuum.

    Each step takes so many seconds or is given up.
    """
    connection.execute(f"set statement_timeout = '{at_most}s'")
    with _looked_into(connection):
        heading("vacuum of", *_FOUND)
        _print_vacuum_of(connection, VECTORS, root=root)
        connection.execute(_SOME_MORE)
        heading(*_AGAIN)
        _print_again(connection, MEANING, root=root)
        heading("vacuum after that", *_FOUND)
        _print_vacuum_of(connection, VECTORS, root=root)


@contextmanager
def _looked_into(connection: Connection) -> Iterator[None]:
    """Have the functions that count dead rows; a backup with them could not be restored."""
    connection.execute("create extension pgstattuple")
    yield
    connection.execute("drop extension pgstattuple")


def _print_again(connection: Connection, name: str, *, root: Path) -> None:
    before = megabytes(connection, name)
    statement = sql.SQL("reindex index concurrently {}").format(sql.Identifier(name))
    is_done, cost = cost_of(root, lambda: _in_time(connection, statement))
    after = megabytes(connection, name)
    print(f"| {name}{_GIVEN_UP[is_done]} | {before:.0f} | {after:.0f} | {cost} |", flush=True)


def _print_vacuum_of(connection: Connection, table: str, *, root: Path) -> None:
    dead, free = _state(connection, table)
    statement = sql.SQL("vacuum {}").format(sql.Identifier(table))
    is_done, cost = cost_of(root, lambda: _in_time(connection, statement))
    dead_after, free_after = _state(connection, table)
    print(f"| {table}{_GIVEN_UP[is_done]} | {dead:,} | {dead_after:,} | {free:.0f} "
          f"| {free_after:.0f} | {cost} |", flush=True)  # fmt: skip


def _in_time(connection: Connection, statement: sql.Composed) -> bool:
    """Say whether the statement came to its end before statement_timeout."""
    try:
        connection.execute(statement)
    except psycopg.errors.QueryCanceled:
        return False
    return True


def _state(connection: Connection, table: str) -> tuple[int, float]:
    """Return the dead rows of the table, and the megabytes of its pages that are free."""
    found = connection.execute(_STATE, [table]).fetchone()
    assert found is not None
    return int(str(found[0])), float(str(found[1]))


def print_one_more(connection: Connection, space_id: UUID, *, root: Path, texts: Texts) -> None:
    """Build an index as a migration would, beside somebody who saves."""
    heading("a new index, beside saves")
    with _saves_in(space_id, texts) as saves:
        step("B-tree on three columns", root, lambda: connection.execute(_PROBE))
    connection.execute("drop index growth_probe")
    print(f"\nSaves meanwhile: {saves}.", flush=True)


def _saves_in(space_id: UUID, texts: Texts) -> Saves:
    space, rest = Space.objects.select_related("owner").get(pk=space_id), iter(texts)
    return Saves(lambda _number: save(space, next(rest)), pause=0.5)
