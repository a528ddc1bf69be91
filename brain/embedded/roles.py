"""What the superuser prepares inside the cluster, so that nothing else needs a superuser."""

import time
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import Credentials

EXTENSIONS = ("btree_gin", "pg_trgm", "unaccent", "vector")
# What search asks of a row. Row-level security lets PostgreSQL use an index for a condition only
# when the function behind it cannot tell anything of a row that is refused; these neither raise
# an error nor have a side effect, but only a superuser may say so.
LEAKPROOF = (
    "ts_match_vq(tsvector, tsquery)",
    "word_similarity_op(text, text)",
    "word_similarity_commutator_op(text, text)",
)
PORT = 5432
RECOVERY_SECONDS = 600

MISSING = """
select (select count(*) from pg_roles where not rolsuper and not rolbypassrls
        and rolname in ('brain_owner', 'brain_app')) < 2
    or (select count(*) from pg_extension join pg_available_extensions on extname = name
        where extname = any(%s) and extversion = default_version) < cardinality(%s::text[])
    or (select count(*) from pg_proc
        where proleakproof and oid = any(%s::regprocedure[])) < cardinality(%s::text[])
    or (select count(*) from pg_default_acl
        where pg_get_userbyid(defaclrole) = 'brain_owner' and defaclobjtype in ('r', 'S')) < 2
"""


@dataclass(frozen=True, slots=True)
class Preparation:
    """Makes roles, extensions, database and privileges; repeating it changes nothing."""

    socket_folder: Path
    credentials: Credentials

    def ensure(self) -> None:
        """Prepare what is missing; a prepared cluster costs one connection and one query."""
        self._wait_for_recovery()
        try:
            with self._connect("brain") as connection:
                names, functions = list(EXTENSIONS), list(LEAKPROOF)
                values = [names, names, functions, functions]
                row = connection.execute(MISSING, values).fetchone()
        except (psycopg.OperationalError, psycopg.errors.UndefinedFunction):
            row = None
        if row is None or row[0]:
            self._make_roles()
            self._make_extensions("template1")
            self._make_database()
            self._make_extensions("brain")
            self._open_to_application()

    def _wait_for_recovery(self) -> None:
        # After a crash the socket answers long before the server lets anybody in.
        deadline = time.monotonic() + RECOVERY_SECONDS
        while True:
            try:
                self._connect("postgres").close()
            except psycopg.OperationalError as error:
                refused = str(error)
            else:
                return
            if "password authentication failed" in refused:
                raise EmbeddedError(
                    "secrets.json doesn't belong to this database. Restore the one that was made "
                    "with it from a backup."
                )
            if "the database system is" not in refused or time.monotonic() > deadline:
                raise EmbeddedError(f"PostgreSQL doesn't let us in: {refused}")
            time.sleep(0.1)

    def _connect(self, database: str) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            host=str(self.socket_folder),
            port=PORT,
            user="postgres",
            password=self.credentials.postgres,
            dbname=database,
            autocommit=True,
        )

    def _make_roles(self) -> None:
        with self._connect("postgres") as connection:
            for name, password, rights in (
                # CREATEDB lets the tests make a database of their own.
                ("brain_owner", self.credentials.brain_owner, "createdb"),
                ("brain_app", self.credentials.brain_app, "nocreatedb"),
            ):
                found = connection.execute("select 1 from pg_roles where rolname = %s", [name])
                verb = "alter" if found.fetchone() else "create"
                statement = f"{verb} role {{}} login nosuperuser nobypassrls {rights} password {{}}"
                connection.execute(
                    sql.SQL(statement).format(sql.Identifier(name), sql.Literal(password))
                )

    def _make_extensions(self, database: str) -> None:
        # `vector` isn't a trusted extension, so no migration can make it. What is in template1
        # is in each later database too, such as those of the tests.
        with self._connect(database) as connection:
            for name in EXTENSIONS:
                extension = sql.Identifier(name)
                connection.execute(sql.SQL("create extension if not exists {}").format(extension))
                connection.execute(sql.SQL("alter extension {} update").format(extension))
            for function in LEAKPROOF:
                connection.execute(f"alter function {function} leakproof")

    def _make_database(self) -> None:
        with self._connect("postgres") as connection:
            if not connection.execute("select 1 from pg_database where datname='brain'").fetchone():
                connection.execute("create database brain owner brain_owner")

    def _open_to_application(self) -> None:
        # What migrations make later is open to the application at once.
        for_owner = "alter default privileges for role brain_owner in schema public"
        with self._connect("brain") as connection:
            connection.execute("grant usage on schema public to brain_app")
            connection.execute(
                f"{for_owner} grant select, insert, update, delete on tables to brain_app"
            )
            connection.execute(f"{for_owner} grant usage, select on sequences to brain_app")
