"""Deleting a space with everything in it."""

import pytest
from django.db import connection

from accounts.actors import Actor
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import WrongNameError, close_space, delete_space, space_tables
from tests.factories import make_actor, make_memory, make_space


def rows_of(space: Space) -> int:
    total = 0
    with inside(space.pk), connection.cursor() as cursor:
        for model in space_tables():
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"select count(*) from {table} where space_id = %s", [space.pk])  # noqa: S608
            total += cursor.fetchone()[0]
    return total


def filled_space() -> Space:
    space = make_space()
    make_memory(space)
    make_memory(space, "We write the changelog by hand.")
    details = KeyDetails(["auth:read"])
    create_api_key(space=space, actor=make_actor(space.owner), details=details)
    return space


def test_everything_in_the_space_goes_and_nothing_else(db: None) -> None:
    space, other = filled_space(), filled_space()
    before = Space(pk=space.pk)
    there = rows_of(other)
    assert rows_of(before) == there > 0

    delete_space(space=space, actor=make_actor(space.owner), typed_name=f" {space.name} ")

    assert rows_of(before) == 0
    assert rows_of(other) == there
    assert list(Space.objects.all()) == [other]


@pytest.mark.parametrize("typed", ["", "no", "SPACE"])
def test_another_name_deletes_nothing(space: Space, actor: Actor, typed: str) -> None:
    with pytest.raises(WrongNameError):
        delete_space(space=space, actor=actor, typed_name=typed)

    assert Space.objects.get() == space


def test_closing_asks_for_nothing(space: Space) -> None:
    close_space(space)

    assert not Space.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_space_with_content_goes_in_a_transaction_of_its_own() -> None:
    space = filled_space()
    before = Space(pk=space.pk)

    close_space(space)

    assert rows_of(before) == 0
    assert not Space.objects.exists()
