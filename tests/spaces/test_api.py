"""REST: the spaces of the signed-in person."""

from uuid import uuid4

from django.test import Client

from accounts.models import User
from tests.factories import make_space


def test_ones_own_spaces_are_listed_by_name(signed_in: Client, user: User) -> None:
    second, first = make_space(owner=user, name="b"), make_space(owner=user, name="A")
    make_space(name="Somebody else's")

    answer = signed_in.get("/api/v1/spaces")

    assert [space["id"] for space in answer.json()] == [str(first.pk), str(second.pk)]
    assert answer.json()[0]["mcp_url"] == first.mcp_url


def test_one_space_is_read(signed_in: Client, user: User) -> None:
    space = make_space(owner=user)

    answer = signed_in.get(f"/api/v1/spaces/{space.pk}")

    assert answer.status_code == 200
    assert answer.json()["name"] == space.name


def test_a_stranger_hears_the_same_as_for_a_space_that_never_was(signed_in: Client) -> None:
    theirs = make_space()

    answers = [signed_in.get(f"/api/v1/spaces/{each}") for each in (theirs.pk, uuid4())]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()


def test_who_is_signed_out_sees_nothing(client: Client, db: None) -> None:
    space = make_space()

    assert client.get("/api/v1/spaces").status_code == 401
    assert client.get(f"/api/v1/spaces/{space.pk}").status_code == 401
