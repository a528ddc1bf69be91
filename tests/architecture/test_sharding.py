"""A space can be the key by which rows are spread over servers: what that needs, and what lacks.

A server that spreads rows by `space_id` (Citus, for one) keeps a promise only where it can be
checked on one server: each unique key and each reference between rows of spaces has to hold the
space. And a query goes to one server only when it names the space. What does not yet is listed
here with what would have to change; `docs/operating.md` says the same in words.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from brain.embedded.folder import DataFolder
from brain.embedded.roles import PORT
from spaces.models import Space
from tests.cluster import VARIABLE
from tests.factories import make_memory, make_space
from tests.memories.queries.test_plans import QUERIES, statements_of

_OWN_ID = "Its id is a primary key of its own: it becomes (space_id, id), as that of memories is."

# Unique keys of spaces' tables without the space, and what becomes of them.
KEYS_WITHOUT_SPACE: Mapping[str, str] = {
    "mcp_gateway_apikey_pkey": _OWN_ID,
    "mcp_gateway_connection_pkey": _OWN_ID,
    "memories_activity_pkey": _OWN_ID,
    "memories_keptanswer_pkey": _OWN_ID,
    "memories_memorylink_pkey": _OWN_ID,
    "memories_memorysource_pkey": _OWN_ID,
    "memories_memoryvector_pkey": _OWN_ID,
    "memories_memoryversion_pkey": _OWN_ID,
    "memories_recall_pkey": _OWN_ID,
    "memories_transfer_pkey": _OWN_ID,
    "memories_transferitem_pkey": _OWN_ID,
    "memories_transferpart_pkey": _OWN_ID,
    "memories_undoing_pkey": _OWN_ID,
    "memories_undoing_undoes_id_key": "The one that undoes another is unique within its space.",
}
_TO_AN_ID = "Refers to an id alone: it becomes a reference to (space_id, id)."
REFERENCES_WITHOUT_SPACE: Mapping[str, str] = {
    "memories_activity.undoing_id": _TO_AN_ID,
    "memories_transferitem.transfer_id": _TO_AN_ID,
    "memories_transferpart.transfer_id": _TO_AN_ID,
    "memories_undoing.undoes_id": _TO_AN_ID,
}
# What is on every server, because rows of spaces refer to it: one copy on each.
ON_EVERY_SERVER = {"accounts_user"}


def rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def tables_of_spaces() -> set[str]:
    return {
        str(name)
        for (name,) in rows(
            "select table_name from information_schema.columns where column_name = 'space_id' "
            "and table_schema = 'public'"
        )
    }


def unique_keys() -> Iterator[tuple[str, str, list[str]]]:
    """Return every unique index of a space's table with its columns."""
    found = rows(
        "select c.relname, i.relname, array_agg(coalesce(a.attname::text, '(expression)')) "
        "from pg_index x join pg_class c on c.oid = x.indrelid "
        "join pg_class i on i.oid = x.indexrelid "
        "cross join unnest(x.indkey) as k(number) "
        "left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number "
        "where x.indisunique and c.relnamespace = 'public'::regnamespace group by 1, 2"
    )
    ours = tables_of_spaces()
    for table, name, columns in found:
        if table in ours:
            yield table, name, columns


def references() -> Iterator[tuple[str, str, str, list[str], list[str]]]:
    """Return every foreign key of a space's table: its columns, its target, and those there."""
    found = rows(
        "select f.conrelid::regclass::text, f.confrelid::regclass::text, "
        "array(select attname::text from unnest(f.conkey) with ordinality k(n, o) "
        "join pg_attribute on attrelid = f.conrelid and attnum = k.n order by k.o), "
        "array(select attname::text from unnest(f.confkey) with ordinality k(n, o) "
        "join pg_attribute on attrelid = f.confrelid and attnum = k.n order by k.o) "
        "from pg_constraint f where f.contype = 'f'"
    )
    ours = tables_of_spaces()
    for table, target, columns, there in found:
        if table in ours:
            own = next((each for each in columns if each != "space_id"), "space_id")
            yield table, target, f"{table}.{own}", columns, there


def test_every_unique_key_of_a_space_holds_the_space_or_says_what_lacks(db: None) -> None:
    lacking = {name for _table, name, columns in unique_keys() if "space_id" not in columns}

    assert lacking == set(KEYS_WITHOUT_SPACE)


def test_every_reference_between_rows_of_spaces_holds_the_space_or_says_what_lacks(
    db: None,
) -> None:
    ours = tables_of_spaces()

    lacking = {
        name
        for _table, target, name, columns, there in references()
        if target in ours and not ("space_id" in columns and "space_id" in there)
    }

    assert lacking == set(REFERENCES_WITHOUT_SPACE)


def test_rows_of_spaces_refer_to_nothing_else_but_their_space_and_people(db: None) -> None:
    ours = tables_of_spaces()

    outside = {target for _table, target, *_ in references() if target not in ours}

    # A space lies where its rows are: it is spread by its own id.
    assert outside == ON_EVERY_SERVER | {"spaces_space"}


def test_every_table_of_spaces_refers_to_its_space_by_the_same_type(db: None) -> None:
    types = {
        str(kind)
        for (kind,) in rows(
            "select data_type from information_schema.columns where column_name = 'space_id' "
            "and table_schema = 'public'"
        )
    }

    assert types == {"uuid"}


def test_no_row_refers_into_a_space_from_outside(db: None) -> None:
    ours = tables_of_spaces()

    into = rows(
        "select conrelid::regclass::text, confrelid::regclass::text from pg_constraint "
        "where contype = 'f'"
    )

    assert [pair for pair in into if pair[1] in ours and pair[0] not in ours] == []


def scans(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Return the nodes of a plan that read a table of spaces."""
    if "Relation Name" in plan:
        yield plan
    for each in plan.get("Plans", ()):
        yield from scans(each)


def names_the_space(node: Mapping[str, Any], space: Space) -> bool:
    conditions = [
        str(node.get(name, "")) for name in ("Index Cond", "Recheck Cond", "Filter", "Hash Cond")
    ]
    return any("space_id" in each and str(space.pk) in each for each in conditions)


@pytest.fixture
def past_isolation(transactional_db: None) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """Return a connection to which row-level security adds no condition of its own."""
    folder = DataFolder(Path(os.environ[VARIABLE]))
    with psycopg.connect(
        host=str(folder.run),
        port=PORT,
        user="postgres",
        password=folder.credentials().postgres,
        dbname=str(settings.DATABASES["default"]["NAME"]),
        autocommit=True,
    ) as superuser:
        yield superuser


@pytest.mark.parametrize("name", QUERIES)
def test_every_hot_query_names_the_space_of_every_table_that_it_reads(
    name: str, past_isolation: psycopg.Connection[tuple[Any, ...]]
) -> None:
    space = make_space()
    make_memory(space, "We deploy on Friday.")
    run: Callable[[Space], object] = QUERIES[name]
    ours = tables_of_spaces()

    statements = statements_of(space, run)

    assert statements
    for statement in statements:
        row = past_isolation.execute(f"explain (format json, costs off) {statement}").fetchone()
        assert row is not None
        found = row[0] if isinstance(row[0], list) else json.loads(row[0])
        for node in scans(found[0]["Plan"]):
            if node["Relation Name"] in ours:
                assert names_the_space(node, space), (statement, node)
