import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from brain.management.owner import as_owner

pytestmark = pytest.mark.django_db(transaction=True)


def one_column(statement: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [str(row[0]) for row in cursor.fetchall()]


def test_the_application_may_use_every_table_and_owns_none() -> None:
    closed = one_column(
        "select relname from pg_class where relnamespace = 'public'::regnamespace "
        "and relkind = 'r' and (pg_get_userbyid(relowner) = current_user "
        "or not has_table_privilege(oid, 'select')  or not has_table_privilege(oid, 'insert') "
        "or not has_table_privilege(oid, 'update') or not has_table_privilege(oid, 'delete'))"
    )

    assert closed == []
    assert one_column("select current_user") == ["brain_app"]


def test_migrating_opens_what_was_closed_and_goes_on_as_the_application() -> None:
    with as_owner(connection), connection.cursor() as cursor:
        cursor.execute("revoke insert on django_session from brain_app")

    call_command("migrate", verbosity=0)

    allowed = "select has_table_privilege('django_session', 'insert')"
    assert one_column(allowed) == ["True"]
    assert one_column("select current_user") == ["brain_app"]


def test_planning_a_migration_grants_nothing() -> None:
    with as_owner(connection), connection.cursor() as cursor:
        cursor.execute("revoke insert on django_session from brain_app")

    call_command("migrate", plan=True, verbosity=0)

    allowed = "select has_table_privilege('django_session', 'insert')"
    assert one_column(allowed) == ["False"]
    call_command("migrate", verbosity=0)


def test_the_owner_comes_from_the_settings() -> None:
    with as_owner(connection):
        assert one_column("select current_user") == [settings.DATABASE_OWNER["USER"]]

    assert one_column("select current_database()") == [settings.DATABASES["default"]["NAME"]]
