"""Raw SQL as the application's role, as if somebody had found an injection."""

import re
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.db.utils import DatabaseError, DataError, ProgrammingError

from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import space_tables
from tests.factories import make_space
from tests.security.victims import MARK, Victim, make_victim
from tests.tally import Tally

pytestmark = pytest.mark.django_db

TABLES = sorted(model._meta.db_table for model in space_tables())


@pytest.fixture
def victim() -> Victim:
    return make_victim()


def fetched(statement: str, *values: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return list(cursor.fetchall()) if cursor.description else []


def copied(statement: str) -> str:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        return b"".join(bytes(part) for part in copy).decode()


def copy_into(table: str, row: str) -> None:
    with connection.cursor() as cursor, cursor.copy(f"copy {table} (space_id) from stdin") as copy:
        copy.write(f"{row}\n")


READS = {
    "select": "select * from {t}",
    "by the space": "select * from {t} where space_id = '{space}'",
    "either way": "select * from {t} where space_id = '{space}' or true",
    "count": "select 1 from {t} having count(*) > 0",
    "subquery": "select (select row_to_json(t) from {t} t limit 1) where exists (select from {t})",
    "with": "with all_rows as materialized (select * from {t}) select * from all_rows",
    "lateral": "select * from (select 1) one, lateral (select * from {t}) two",
    "join": "select * from spaces_space s join {t} t on t.space_id = s.id",
    "outer join": "select t.* from spaces_space s right join {t} t on true",
    "locked": "select * from {t} for update",
    "union": "select space_id::text from {t} union all select space_id::text from {t}",
    "sampled": "select * from {t} tablesample system (100)",
    "as text": "select t::text from {t} t",
    "sorted by a leak": "select * from {t} order by (1 / (space_id is null)::int)",
}


def test_no_way_to_read_shows_rows_of_a_space_that_was_not_entered(
    victim: Victim, tried: Tally
) -> None:
    own = make_space()

    for table in TABLES:
        for name, read in READS.items():
            statement = read.format(t=table, space=victim.space.pk)
            outside = fetched(statement)
            with inside(own):
                in_another = fetched(statement)
            tried.add(2)
            assert (outside, in_another) == ([], []), (table, name)


def test_no_row_of_another_space_is_copied_changed_deleted_or_written(
    victim: Victim, tried: Tally
) -> None:
    own, before = make_space(), victim.fingerprint()

    for table in TABLES:
        tried.add(attack_rows(table, victim, own))

    assert victim.fingerprint() == before


def attack_rows(table: str, victim: Victim, own: Space) -> int:
    """Try every way to write; return how many were tried."""
    space = victim.space.pk
    writes = [
        f"update {table} set space_id = space_id",
        f"update {table} set space_id = '{own.pk}' where space_id = '{space}'",
        f"delete from {table} where space_id = '{space}'",
        f"delete from {table} using spaces_space where space_id = spaces_space.id",
        f"with gone as (delete from {table} returning *) select * from gone",
        f"merge into {table} t using spaces_space s on t.space_id = s.id when matched then delete",
    ]

    for statement in writes:
        with inside(own), connection.cursor() as cursor:
            cursor.execute(statement)
            assert cursor.rowcount == 0, statement
    with inside(own):
        assert copied(f"copy (select * from {table}) to stdout") == ""
    for statement in (
        f"insert into {table} (space_id) values ('{space}')",
        f"insert into {table} (space_id) values ('{space}') on conflict do nothing",
    ):
        with pytest.raises(ProgrammingError, match="row-level security"), inside(own):
            fetched(statement)
    # COPY TO honours the policies; COPY FROM is refused for a table that has them.
    with pytest.raises(psycopg.Error), inside(own):
        copy_into(table, str(space))
    return len(writes) + 4


REFUSED = {
    "truncate the log": "truncate django_migrations",
    "switch policies off": "alter table memories_memory disable row level security",
    "stop forcing them": "alter table memories_memory no force row level security",
    "drop the policy": "drop policy only_the_entered_space on memories_memory",
    "add a policy": "create policy all_of_it on memories_memory using (true)",
    "own the table": "alter table memories_memory owner to {app}",
    "become the owner": "set role {owner}",
    "become the superuser": "set role postgres",
    "log in as the owner": "set session authorization {owner}",
    "raise oneself": "alter role {app} superuser",
    "bypass": "alter role {app} bypassrls",
    "make a role": "create role friend login superuser",
    "make a function": "create function public.leak(text) returns bool language sql as 'select true'",
    "make a definer": (
        "create function public.all_of_it() returns setof memories_memory language sql "
        "security definer as 'select * from memories_memory'"
    ),
    "make a view": "create view public.all_of_it as select * from memories_memory",
    "make a table": "create table public.kept as select 1",
    "make a trigger": (
        "create trigger kept after insert on memories_memory execute function "
        "suppress_redundant_updates_trigger()"
    ),
    "an untrusted language": "do language plpython3u 'pass'",
    "an extension": "create extension dblink",
    "a foreign server": "create extension postgres_fdw",
    "read a file": "select pg_read_file('/etc/passwd')",
    "list a folder": "select pg_ls_dir('/')",
    "read a file as large object": "select lo_import('/etc/passwd')",
    "copy a file": "copy spaces_space (name) from '/etc/passwd'",
    "copy to a file": "copy (select 1) to '/tmp/kept'",
    "run a program": "copy (select 1) to program 'id'",
    "run a program to read": "copy spaces_space (name) from program 'id'",
    "read passwords": "select rolpassword from pg_authid",
    "end the server's processes": (
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'"
    ),
    "load a library": "load '/tmp/evil.so'",
    "ignore foreign keys": "set session_replication_role = replica",
    "drop": "drop table memories_memory",
    "lock out": "alter database postgres allow_connections false",
}


def test_the_role_of_the_application_can_not_help_itself(victim: Victim, tried: Tally) -> None:
    app, owner = str(settings.DATABASES["default"]["USER"]), settings.DATABASE_OWNER["USER"]
    before = victim.fingerprint()

    for name, statement in REFUSED.items():
        # One that finds nobody it may end answers with no rows, which is a refusal as well.
        found = refused(statement.format(app=app, owner=owner))
        tried.add()
        assert found == [], name
        assert victim.fingerprint() == before, name


def refused(statement: str) -> list[tuple[Any, ...]]:
    try:
        with transaction.atomic():
            return fetched(statement)
    except DatabaseError:
        return []


def test_switching_row_security_off_ends_in_an_error_and_shows_nothing(
    victim: Victim, tried: Tally
) -> None:
    for table in TABLES:
        with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
            fetched(f"set local row_security = off; select * from {table}")
        tried.add()


NO_SPACES = (
    "", " ", "%", "*", "null", str(UUID(int=0)), "'; select 1; --", "{}", "any", "0", "DEFAULT",
)  # fmt: skip


def test_a_setting_that_names_no_space_opens_none(victim: Victim, tried: Tally) -> None:
    """What is no id is an error or an empty answer in every table, never all rows."""
    for value in NO_SPACES:
        for table in TABLES:
            try:
                with transaction.atomic():
                    fetched("select set_config('brain.space_id', %s, true)", value)
                    found = fetched(f"select * from {table}")
            except DataError:
                found = []
            tried.add()
            assert found == [], (value, table)


def test_a_function_that_tells_what_it_is_given_is_given_nothing(victim: Victim) -> None:
    """A cheap function in a condition must not see rows before the policy did."""
    fetched(
        "create function pg_temp.tell(text) returns bool language plpgsql cost 0.0001 as "
        "$$ begin raise exception 'told: %', $1; end $$"
    )

    with inside(make_space()):
        found = fetched("select * from memories_memory where pg_temp.tell(content)")

    assert found == []


def test_statistics_of_the_planner_show_no_text(victim: Victim, tried: Tally) -> None:
    for view in ("pg_stats", "pg_stats_ext", "pg_stat_activity", "pg_prepared_statements"):
        rows = fetched(f"select t::text from {view} t where t::text like %s", f"%{MARK} deploys%")
        tried.add()
        own = re.compile(r"like .*deploys")
        assert [row for row in rows if not own.search(row[0])] == []


def fail_if_seen() -> None:
    assert fetched("select 1 from memories_memory")
    raise ZeroDivisionError


def test_the_setting_of_one_transaction_is_gone_in_the_next(victim: Victim) -> None:
    """Also when the transaction failed in the middle."""
    with pytest.raises(ZeroDivisionError), inside(victim.space):
        fail_if_seen()

    assert fetched("select 1 from memories_memory") == []
