"""How many rows each table of a data folder has, seen past row-level security."""

from pathlib import Path

import psycopg
from psycopg import sql

from brain.embedded.folder import DataFolder
from brain.embedded.roles import PORT


def row_counts(folder: Path) -> dict[str, int]:
    place = DataFolder(folder)
    with psycopg.connect(
        host=str(place.run),
        port=PORT,
        user="postgres",
        password=place.credentials().postgres,
        dbname="brain",
    ) as connection:
        tables = connection.execute(
            "select tablename from pg_tables where schemaname = 'public' order by tablename"
        ).fetchall()
        return {name: _count(connection, str(name)) for (name,) in tables}


def _count(connection: psycopg.Connection[tuple[object, ...]], table: str) -> int:
    row = connection.execute(
        sql.SQL("select count(*) from {}").format(sql.Identifier(table))
    ).fetchone()
    assert row is not None
    return int(str(row[0]))
