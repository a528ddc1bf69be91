"""The second lock on every space: PostgreSQL answers only for the space that was entered.

Every table with a `space_id` has FORCEd row-level security on the setting `brain.space_id`
(PostgreSQL documentation, 5.9). A query outside `inside(space)` sees no rows at all.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.migrations.operations import RunSQL
from django.db.models import QuerySet

from spaces.models import Space

_current: ContextVar[UUID | None] = ContextVar("current_space", default=None)


@contextmanager
def inside(space: Space | UUID) -> Iterator[None]:
    """Run a transaction in which the rows of `space`, and of no other, exist.

    Nested calls for the same space are savepoints; for another space they are a mistake in
    the program and raise RuntimeError.
    """
    space_id = space.pk if isinstance(space, Space) else space
    current = _current.get()
    if current is None:
        with _entered(space_id):
            yield
    elif current == space_id:
        with transaction.atomic():
            yield
    else:
        raise RuntimeError("This transaction is already inside another space.")


@contextmanager
def _entered(space_id: UUID) -> Iterator[None]:
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        # Reset before the commit: what runs on commit is outside, and may enter any space.
        token = _current.set(space_id)
        try:
            _enter(str(space_id))
            yield
            if not is_outermost:
                # The transaction goes on without the space; a failure rolls the setting back.
                _enter("")
        finally:
            _current.reset(token)


def in_each(
    space_ids: Sequence[UUID], *, ask: Callable[[UUID], Sequence[QuerySet[Any, Any]]]
) -> dict[UUID, list[list[tuple[Any, ...]]]]:
    """Ask the same of many spaces, inside each in its turn, in one round trip.

    Returns the rows of each query; for figures that operators see, never for contents.
    """
    if _current.get() is not None:
        raise RuntimeError("This transaction is already inside another space.")
    statements, values, found = [], list[Any](), {}
    for space_id in space_ids:
        queries = [query.query.sql_with_params() for query in ask(space_id)]
        statements += ["select set_config('brain.space_id', %s, true)", *(q for q, _ in queries)]
        values += [str(space_id), *(value for _, given in queries for value in given)]
        found[space_id] = [list[tuple[Any, ...]]() for _ in queries]
    with transaction.atomic(), connection.cursor() as cursor:
        try:
            if statements:
                cursor.execute("; ".join(statements), values)
            for rows in found.values():
                for answer in rows:
                    cursor.nextset()
                    answer.extend(cursor.fetchall())
                cursor.nextset()
        finally:
            # A transaction that goes on does so outside; one that failed is rolled back.
            if not connection.needs_rollback:
                _enter("")
    return found


def _enter(space_id: str) -> None:
    # Local to this transaction, so a pooled connection never carries it on.
    with connection.cursor() as cursor:
        cursor.execute("select set_config('brain.space_id', %s, true)", [space_id])


def isolate(table: str) -> RunSQL:
    """Return the migration operation that puts `table` under row-level security."""
    is_entered = "space_id = nullif(current_setting('brain.space_id', true), '')::uuid"
    rule = f"using ({is_entered}) with check ({is_entered})"
    return RunSQL(
        sql=[
            f"alter table {table} enable row level security",
            f"alter table {table} force row level security",
            f"create policy only_the_entered_space on {table} {rule}",
        ],
        reverse_sql=[
            f"drop policy only_the_entered_space on {table}",
            f"alter table {table} no force row level security",
            f"alter table {table} disable row level security",
        ],
    )
