"""The database's owner: who may change tables, in a process that is otherwise the application."""

import contextlib
from collections.abc import Iterator

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg import sql


@contextlib.contextmanager
def as_owner(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Connect as the owner inside the block, and as the application again after it."""
    before = connection.settings_dict
    disconnect(connection)
    # A pool would keep the owner's connections for whoever asks next.
    options = {name: value for name, value in before["OPTIONS"].items() if name != "pool"}
    connection.settings_dict = {**before, **settings.DATABASE_OWNER, "OPTIONS": options}
    try:
        yield
    finally:
        disconnect(connection)
        # The name may have changed meanwhile: the tests make a database of their own.
        connection.settings_dict = {**before, "NAME": connection.settings_dict["NAME"]}


def open_to_application(connection: BaseDatabaseWrapper, *, role: str) -> None:
    """Let the application's role use, but not change, every table there is."""
    if role == connection.settings_dict["USER"]:
        return
    name = sql.Identifier(role)
    with connection.cursor() as cursor:
        for rights in (
            "usage on schema public",
            "select, insert, update, delete on all tables in schema public",
            "usage, select on all sequences in schema public",
        ):
            cursor.execute(sql.SQL(f"grant {rights} to {{}}").format(name).as_string())


def disconnect(connection: BaseDatabaseWrapper) -> None:
    """Close the connection and the pool behind it."""
    connection.close()
    # `django.db.connection` only stands for it.
    own = connections[connection.alias]
    if isinstance(own, DatabaseWrapper):
        own.close_pool()
