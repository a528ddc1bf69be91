"""The indexes of the tables that grow: left out while they fill, built again, and measured.

Import it only where Django is set up.
"""

from pathlib import Path

from psycopg import sql

from bench.growth.measuring import cost_of, heading
from bench.rows import Connection

_OF_SPACES = """
    select entry.relname, pg_get_indexdef(entry.oid)
    from pg_index join pg_class entry on entry.oid = indexrelid
    where indrelid::regclass::text like 'memories\\_%' and not indisunique
    order by entry.relname
"""
_MEGABYTES = "select pg_relation_size(%s::regclass) / 1e6"
_TABLES = """
    select relname, pg_relation_size(oid, 'main') / 1e6, pg_indexes_size(oid) / 1e6,
           pg_total_relation_size(oid) / 1e6
    from pg_class
    where relkind = 'r' and relname like 'memories\\_%' and pg_relation_size(oid) > 1e5
    order by pg_total_relation_size(oid) desc
"""
_LARGEST = """
    select entry.relname, am.amname, pg_relation_size(entry.oid) / 1e6
    from pg_index join pg_class entry on entry.oid = indexrelid join pg_am am on am.oid = relam
    where indrelid::regclass::text like 'memories\\_%'
    order by 3 desc limit 15
"""


def drop(connection: Connection) -> dict[str, str]:
    """Drop all indexes that keep no promise, and return the statements that make them again."""
    found = connection.execute(_OF_SPACES).fetchall()
    for name, _ in found:
        connection.execute(sql.SQL("drop index {}").format(sql.Identifier(str(name))))
    return {str(name): str(statement) for name, statement in found}


def build(connection: Connection, statements: dict[str, str], *, root: Path) -> None:
    """Build them one after the other, and print what each cost."""
    heading("index", last=["MB"])
    for name, statement in statements.items():
        _, cost = cost_of(root, lambda said=statement: connection.execute(said))  # type: ignore[misc]
        print(f"| {name} | {cost} | {megabytes(connection, name):.0f} |", flush=True)


def megabytes(connection: Connection, name: str) -> float:
    found = connection.execute(_MEGABYTES, [name]).fetchone()
    assert found is not None
    return float(str(found[0]))


def print_sizes(connection: Connection, memories: int) -> None:
    """Print what the tables and the largest indexes take, and how much that is a memory."""
    print("\n| table | rows MB | indexes MB | TOAST and maps MB | bytes a memory |")
    print("|---|---|---|---|---|")
    total = 0.0
    for row in connection.execute(_TABLES).fetchall():
        heap, indexes, whole = (float(str(each)) for each in row[1:])
        total += whole
        print(f"| {row[0]} | {heap:.0f} | {indexes:.0f} | {whole - heap - indexes:.0f} "
              f"| {1e6 * whole / memories:.0f} |")  # fmt: skip
    print(f"| all, {total:.0f} MB | | | | {1e6 * total / memories:.0f} |")
    print("\n| index | sort | MB | bytes a memory |")
    print("|---|---|---|---|")
    for name, sort, found in connection.execute(_LARGEST).fetchall():
        size = float(str(found))
        print(f"| {name} | {sort} | {size:.0f} | {1e6 * size / memories:.0f} |", flush=True)
