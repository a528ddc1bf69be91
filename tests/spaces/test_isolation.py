"""PostgreSQL answers only for the space that was entered, in every table of a space."""

import uuid
from functools import partial

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.db.utils import ProgrammingError
from django.test.utils import CaptureQueriesContext

from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from memories.models import Memory
from spaces.isolation import in_each, inside
from spaces.models import Space
from spaces.services.closing import space_tables
from tests.factories import make_actor, make_memory, make_space

pytestmark = pytest.mark.django_db


def rows(query: str, *values: str | list[str]) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        found: list[tuple[object, ...]] = cursor.fetchall()
    return found


def tables_of_spaces() -> list[str]:
    """Ask the database, not Django, so that no table is forgotten."""
    found = rows(
        "select table_name from information_schema.columns where column_name = 'space_id' "
        "and table_schema = 'public' order by table_name"
    )
    return [str(name) for (name,) in found]


def entered_space() -> str:
    return str(rows("select current_setting('brain.space_id', true)")[0][0] or "")


def fill(space: Space) -> None:
    """Write rows of several kinds into the space: a memory, its version, a line, a key."""
    actor = make_actor(space.owner)
    make_memory(space, "The deployment runs on Fridays.")
    create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"]))


def counts() -> dict[str, int]:
    found = {}
    for table in tables_of_spaces():
        ((number,),) = rows(f"select count(*) from {table}")  # noqa: S608
        found[table] = int(str(number))
    return found


def test_the_tables_of_spaces_are_found_and_all_known_to_the_deletion_of_a_space() -> None:
    known = {model._meta.db_table for model in space_tables()}

    assert set(tables_of_spaces()) == known
    assert "memories_memory" in known


def test_every_table_of_spaces_forces_row_level_security() -> None:
    states = dict.fromkeys(tables_of_spaces(), (True, True))

    found = rows(
        "select relname, relrowsecurity, relforcerowsecurity from pg_class "
        "where relnamespace = 'public'::regnamespace and relname = any(%s)",
        list(states),
    )

    assert {str(name): (enabled, forced) for name, enabled, forced in found} == states


def test_every_table_of_spaces_has_the_one_policy_for_reading_and_writing() -> None:
    found = rows(
        "select tablename, permissive, roles::text, cmd, qual = with_check, "
        "qual like %s from pg_policies where schemaname = 'public' order by tablename",
        "%space_id = %current_setting('brain.space_id'%",
    )

    expected = [(name, "PERMISSIVE", "{public}", "ALL", True, True) for name in tables_of_spaces()]
    assert found == expected


def test_the_application_neither_owns_the_tables_nor_passes_their_policies() -> None:
    role = str(settings.DATABASES["default"]["USER"])
    assert rows("select current_user, session_user") == [(role, role)]

    powers = rows(
        "select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = %s", role
    )
    owners = {
        str(owner)
        for _table, owner in rows(
            "select tablename, tableowner from pg_tables where tablename = any(%s)",
            tables_of_spaces(),
        )
    }
    roles = rows(
        "select roleid::regrole::text from pg_auth_members where member = %s::regrole", role
    )

    assert powers == [(False, False, False)]
    assert owners == {settings.DATABASE_OWNER["USER"]}
    assert role not in owners
    assert roles == []


def test_without_a_space_every_table_is_empty(space: Space) -> None:
    fill(space)
    with inside(space):
        inside_counts = counts()

    outside = counts()

    assert inside_counts["memories_memory"] == 1
    assert sum(number > 0 for number in inside_counts.values()) >= 4
    assert outside == dict.fromkeys(tables_of_spaces(), 0)


def test_inside_a_space_there_is_nothing_of_another(space: Space) -> None:
    fill(space)
    other = make_space()

    with inside(other):
        assert counts() == dict.fromkeys(tables_of_spaces(), 0)
        assert Memory.objects.filter(space=space).count() == 0


@pytest.mark.parametrize("where", ["outside", "in_another"])
def test_the_database_refuses_rows_for_a_space_that_was_not_entered(
    space: Space, where: str
) -> None:
    other = make_space()

    for table in tables_of_spaces():
        with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
            _insert(table, space, entered=other if where == "in_another" else None)


def _insert(table: str, space: Space, *, entered: Space | None) -> None:
    # The policy is asked before any other rule of the table.
    statement = f"insert into {table} (space_id) values (%s)"  # noqa: S608
    with connection.cursor() as cursor:
        if entered is not None:
            cursor.execute("select set_config('brain.space_id', %s, true)", [str(entered.pk)])
        cursor.execute(statement, [space.pk])


def test_rows_of_another_space_are_neither_changed_nor_deleted(space: Space) -> None:
    fill(space)

    with inside(make_space()), connection.cursor() as cursor:
        for table in tables_of_spaces():
            cursor.execute(f"delete from {table}")  # noqa: S608
            assert cursor.rowcount == 0
        cursor.execute("update memories_memory set content = 'mine now'")
        assert cursor.rowcount == 0
    with inside(space):
        assert Memory.objects.get().content == "The deployment runs on Fridays."


def test_a_row_is_not_moved_to_another_space(space: Space) -> None:
    fill(space)
    other = make_space()

    with pytest.raises(ProgrammingError, match="row-level security"), inside(space):
        Memory.objects.update(space=other)


def test_the_same_space_is_entered_again_as_a_savepoint(space: Space) -> None:
    with inside(space):
        with pytest.raises(ZeroDivisionError):
            _rename_and_fail(space)

        assert entered_space() == str(space.pk)

    space.refresh_from_db()
    assert space.name != "Undone"


def _rename_and_fail(space: Space) -> None:
    with inside(space.pk):
        Space.objects.filter(pk=space.pk).update(name="Undone")
        raise ZeroDivisionError


def test_another_space_is_not_entered_from_inside_one(space: Space) -> None:
    with inside(space), pytest.raises(RuntimeError, match="another space"), inside(uuid.uuid4()):
        pytest.fail("This line is never reached.")


def test_a_longer_transaction_goes_on_without_the_space(space: Space) -> None:
    with transaction.atomic():
        with inside(space):
            assert entered_space() == str(space.pk)
        after_success = entered_space()
        with pytest.raises(ZeroDivisionError), inside(space):
            raise ZeroDivisionError
        after_failure = entered_space()

    assert (after_success, after_failure) == ("", "")


@pytest.mark.django_db(transaction=True)
def test_nothing_of_the_space_stays_on_the_connection() -> None:
    space = make_space()

    with inside(space):
        assert entered_space() == str(space.pk)

    assert entered_space() == ""
    with inside(make_space()):
        assert entered_space() != str(space.pk)


@pytest.mark.django_db(transaction=True)
def test_what_runs_on_commit_enters_a_space_anew() -> None:
    space, other, seen = make_space(), make_space(), []

    def look(into: Space) -> None:
        with inside(into):
            seen.append(entered_space())

    with inside(space):
        transaction.on_commit(partial(look, space))
        transaction.on_commit(partial(look, other))

    assert seen == [str(space.pk), str(other.pk)]


def test_many_spaces_are_asked_in_one_round_trip_each_on_its_own(space: Space) -> None:
    other, empty = make_space(), make_space()
    for each, content in ((space, "Fridays are for deploys."), (other, "Mondays are for mail.")):
        make_memory(each, content)
    everything = Memory.objects.values_list("content")

    with CaptureQueriesContext(connection) as captured:
        found = in_each(
            [space.pk, other.pk, empty.pk],
            ask=lambda _id: [everything, everything.filter(content="Nothing says this.")],
        )

    assert found == {
        space.pk: [[("Fridays are for deploys.",)], []],
        other.pk: [[("Mondays are for mail.",)], []],
        empty.pk: [[], []],
    }
    assert sum("memories_memory" in each["sql"] for each in captured.captured_queries) == 1
    assert entered_space() == ""


def test_many_spaces_are_not_asked_from_inside_one(space: Space) -> None:
    with inside(space), pytest.raises(RuntimeError, match="another space"):
        in_each([space.pk], ask=lambda _id: [])
