"""The database: does it answer, and does it keep the spaces apart."""

from collections.abc import Iterator
from typing import TypeAlias

import psycopg
from django.conf import settings
from django.db import connection as django_connection
from django.db.migrations.executor import MigrationExecutor

from brain.embedded.addresses import connect_database
from brain.embedded.cluster import server_is_running
from brain.embedded.roles import EXTENSIONS
from brain.management.diagnosis.findings import Finding, ok, problem, skipped

Connection: TypeAlias = psycopg.Connection[tuple[object, ...]]
OLDEST_SERVER = 150_000

ROLE = """
select rolsuper, rolbypassrls,
    exists (select from pg_class where relowner = pg_roles.oid
            and relnamespace = 'public'::regnamespace)
from pg_roles where rolname = current_user
"""
UNGUARDED = """
select relname from pg_class join pg_attribute on attrelid = pg_class.oid
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and attname = 'space_id' and not attisdropped
    and not (relrowsecurity and relforcerowsecurity
             and exists (select from pg_policy where polrelid = pg_class.oid))
order by relname
"""


def database() -> Iterator[Finding]:
    """Look at the database as the application sees it."""
    if settings.EMBEDDED_DATABASE and not server_is_running(settings.FOLDER):
        yield skipped("database", "embedded, not running; `make run` starts it")
        return
    try:
        with connect_database(settings.DATABASES["default"]) as connection:
            yield _version(connection)
            yield _role(connection)
            yield _extensions(connection)
            yield _migrations()
            yield _isolation(connection)
    except psycopg.OperationalError as error:
        where = "see the server's log" if settings.EMBEDDED_DATABASE else "check DATABASE_URL"
        yield problem("database", f"doesn't answer: {str(error).strip()}", remedy=where)


def _version(connection: Connection) -> Finding:
    number = connection.info.server_version
    text = f"PostgreSQL {number // 10_000}.{number % 10_000}"
    if number < OLDEST_SERVER:
        return problem("database", text, remedy="use PostgreSQL 15 or newer")
    return ok("database", f"{text} answers")


def _role(connection: Connection) -> Finding:
    row = connection.execute(ROLE).fetchone()
    assert row is not None
    name = connection.info.user
    told = ("is a superuser", "may bypass row-level security", "owns tables")
    too_much = [text for text, is_so in zip(told, row, strict=True) if is_so]
    if too_much:
        return problem(
            "application role",
            f"'{name}' {' and '.join(too_much)}: a forgotten filter would show other spaces",
            remedy="connect as a plain role (DATABASE_URL), and migrate as another one "
            "(DATABASE_OWNER_URL)",
        )
    return ok("application role", f"'{name}' owns nothing and bypasses nothing")


def _extensions(connection: Connection) -> Finding:
    rows = connection.execute("select extname from pg_extension").fetchall()
    missing = sorted(set(EXTENSIONS) - {str(row[0]) for row in rows})
    if missing:
        commands = "; ".join(f"create extension {name}" for name in missing)
        return problem(
            "extensions", f"missing: {', '.join(missing)}", remedy=f"as superuser: {commands}"
        )
    return ok("extensions", ", ".join(EXTENSIONS))


def _migrations() -> Finding:
    executor = MigrationExecutor(django_connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        return problem("migrations", f"{len(plan)} not applied", remedy="python manage.py migrate")
    return ok("migrations", "all applied")


def _isolation(connection: Connection) -> Finding:
    open_tables = [str(row[0]) for row in connection.execute(UNGUARDED).fetchall()]
    if open_tables:
        return problem(
            "isolation of spaces",
            f"no forced row-level security on {', '.join(open_tables)}",
            remedy="apply the migrations; if they are, report it as a bug",
        )
    return ok("isolation of spaces", "forced on every table of a space")
