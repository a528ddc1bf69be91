"""Write a memory as the person."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from memories.models import Memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory

FIELDS = {"content": "We deploy on Fridays at noon.", "kind": "decision", "path": "Shop.Deploy"}


def url(space: Space) -> str:
    return reverse("memories:new", args=[space.pk])


def only(space: Space) -> Memory:
    with inside(space):
        return Memory.objects.get()


def test_what_the_person_writes_is_theirs(space: Space, signed_in: Client) -> None:
    response = signed_in.post(url(space), FIELDS | {"source": "Ana", "rationale": "Asked"})

    memory = only(space)
    assert response.status_code == 302
    assert response["Location"] == memory.get_absolute_url()
    assert (memory.content, memory.author, memory.path) == (
        FIELDS["content"],
        "user",
        "Shop.Deploy",
    )
    assert (memory.source, memory.rationale, memory.client_name) == ("Ana", "Asked", "")


def test_line_ends_of_the_browser_become_plain_ones(space: Space, signed_in: Client) -> None:
    signed_in.post(url(space), FIELDS | {"content": "first line\r\nsecond line"})

    assert only(space).content == "first line\nsecond line"


def test_a_chosen_day_ends_where_the_person_lives(space: Space, signed_in: Client) -> None:
    space.owner.time_zone = "America/Sao_Paulo"
    space.owner.save()

    signed_in.post(url(space), FIELDS | {"kind": "observation", "expires_at": "2099-03-05"})

    assert only(space).expires_at == datetime(2099, 3, 6, 2, 59, 59, tzinfo=UTC)


def test_a_fact_that_is_there_already_is_confirmed_and_said_so(
    space: Space, signed_in: Client
) -> None:
    memory = make_memory(space, FIELDS["content"])

    response = signed_in.post(url(space), FIELDS, follow=True)

    assert b"This was remembered already" in response.content
    assert only(space).pk == memory.pk


def test_a_secret_is_taken_out_and_said_so(space: Space, signed_in: Client) -> None:
    secret = "npm" + "_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d"

    response = signed_in.post(
        url(space), FIELDS | {"content": f"The token is {secret}"}, follow=True
    )

    assert b"What looked like a secret was taken out before storing: npm_token." in response.content
    assert secret.encode() not in response.content


def test_a_disagreement_is_said_and_both_memories_stay(space: Space, signed_in: Client) -> None:
    make_memory(space, "The session timeout of the shop is 30 minutes.", path="Shop.Auth")

    content = "The session timeout of the shop is 60 minutes."
    response = signed_in.post(url(space), FIELDS | {"content": content}, follow=True)

    assert b"It seems to disagree with what is remembered at Shop.Auth." in response.content
    with inside(space):
        assert Memory.objects.active().count() == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"content": ""}, "This field is required."),
        ({"content": "short"}, "The content has only 5 characters."),
        ({"content": "x" * 4001}, "at most 4000 characters"),
        ({"path": "A..B"}, "The path has an empty segment."),
        ({"kind": "checkpoint"}, "Select a valid choice."),
        ({"kind": "rumour"}, "Select a valid choice."),
        ({"expires_at": "2099-01-01"}, "A decision never expires by date."),
        ({"kind": "observation", "expires_at": "2020-01-01"}, "expires_at has already passed."),
        ({"kind": "observation", "expires_at": "soon"}, "Enter a valid date."),
        ({"content": "-----BEGIN " + "PRIVATE KEY-----"}, "A private key is never stored."),
    ],
)
def test_a_refused_memory_comes_back_in_its_form(
    space: Space, signed_in: Client, fields: dict[str, str], said: str
) -> None:
    response = signed_in.post(url(space), FIELDS | fields)

    assert response.status_code == 422
    assert said in response.content.decode()
    with inside(space):
        assert not Memory.objects.exists()


def test_the_form_offers_the_paths_in_use(space: Space, signed_in: Client) -> None:
    make_memory(space, path="Shop.Deploy")

    page = signed_in.get(url(space), {"path": "Shop"}).content.decode()

    assert '<option value="Shop.Deploy">' in page
    assert 'value="Shop"' in page


def test_a_stranger_writes_nothing(space: Space, stranger: Client) -> None:
    assert stranger.get(url(space)).status_code == 404
    assert stranger.post(url(space), FIELDS).status_code == 404
    with inside(space):
        assert not Memory.objects.exists()


def test_a_form_of_another_site_writes_nothing(space: Space) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(space.owner)

    assert client.post(url(space), FIELDS).status_code == 403


def test_other_methods_are_refused(space: Space, signed_in: Client) -> None:
    assert signed_in.put(url(space)).status_code == 405
