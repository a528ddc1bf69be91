"""The way to a new space."""

import pytest
from django.test import Client

from accounts.models import User
from spaces.models import Space
from tests.factories import make_space

CREATE = "/spaces/new/"


def test_a_new_space_leads_to_its_connect_page(signed_in: Client, user: User) -> None:
    response = signed_in.post(CREATE, {"name": "Website", "description": "", "language": "en"})

    space = Space.objects.get()
    assert space.owner == user
    assert response["Location"] == f"/spaces/{space.pk}/connect/"


def test_the_language_of_the_person_is_proposed(signed_in: Client, user: User) -> None:
    User.objects.filter(pk=user.pk).update(language="pt-br")

    assert '<option value="pt" selected>' in signed_in.get(CREATE).text


@pytest.mark.parametrize(
    "changed", [{"name": ""}, {"name": "a" * 81}, {"name": "\u200b"}, {"language": "tlh"}]
)
def test_a_refused_space_is_said_on_the_page(signed_in: Client, changed: dict[str, str]) -> None:
    response = signed_in.post(CREATE, {"name": "Website", "language": "en"} | changed)

    assert response.status_code == 422
    assert not Space.objects.exists()


def test_a_taken_name_is_said_on_the_page(signed_in: Client, user: User) -> None:
    make_space(owner=user, name="Website")

    response = signed_in.post(CREATE, {"name": "website", "language": "en"})

    assert response.status_code == 422
    assert "already have a space of this name" in response.text


def test_the_sixth_space_is_refused(signed_in: Client, user: User) -> None:
    for _ in range(5):
        make_space(owner=user)

    response = signed_in.post(CREATE, {"name": "Sixth", "language": "en"})

    assert response.status_code == 422
    assert "up to 5 spaces" in response.text


def test_who_is_signed_out_makes_none(client: Client, db: None) -> None:
    response = client.post(CREATE, {"name": "Website", "language": "en"})

    assert response["Location"] == f"/sign-in/?next={CREATE}"
    assert not Space.objects.exists()


def test_other_methods_are_refused(signed_in: Client) -> None:
    assert signed_in.delete(CREATE).status_code == 405
