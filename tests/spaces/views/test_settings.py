"""The settings of a space, and its end."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import User
from memories.models import Memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.meaning import embed_all

CHANGED = {"name": "Renamed", "description": "What belongs here.", "language": "pt"}


def test_the_page_shows_what_is_said_of_the_space(signed_in: Client, space: Space) -> None:
    page = signed_in.get(f"/spaces/{space.pk}/settings/")

    assert page.status_code == 200
    assert f'value="{space.name}"' in page.text


def test_the_page_says_that_search_by_meaning_is_off(signed_in: Client, space: Space) -> None:
    page = signed_in.get(f"/spaces/{space.pk}/settings/").text

    assert "Search by meaning is off" in page
    assert "Whoever runs this installation turned it off." in page


def test_the_page_says_how_far_search_by_meaning_is_until_it_is_complete(
    signed_in: Client, space: Space, settings: Settings
) -> None:
    settings.EMBEDDER = "builtin-use"
    make_memory(space)
    early = signed_in.get(f"/spaces/{space.pk}/settings/").text
    embed_all(space)

    late = signed_in.get(f"/spaces/{space.pk}/settings/").text

    assert "Search by meaning covers 0 of 1 memories so far." in early
    assert "earch by meaning" not in late


def test_changes_are_saved(signed_in: Client, space: Space) -> None:
    response = signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED)

    assert response["Location"] == f"/spaces/{space.pk}/settings/"
    space.refresh_from_db()
    assert (space.name, space.description, space.language) == tuple(CHANGED.values())


def test_personal_data_is_redacted_from_when_the_box_is_ticked(
    signed_in: Client, space: Space
) -> None:
    before = make_memory(space, "Ana has the address ana@example.org.")
    assert "ana@example.org" in before.content

    signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED | {"auto_redact_pii": "on"})

    space.refresh_from_db()
    memory = make_memory(space, "Rui has rui@example.org and +55 11 91234-5678.")
    assert memory.content == "Rui has [redacted: email] and [redacted: phone]."
    signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED)
    assert not Space.objects.get(pk=space.pk).auto_redact_pii


@pytest.mark.parametrize("changed", [{"name": ""}, {"language": "tlh"}, {"name": "Taken"}])
def test_a_refused_change_leaves_everything(
    signed_in: Client, space: Space, user: User, changed: dict[str, str]
) -> None:
    make_space(owner=user, name="Taken")

    response = signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED | changed)

    assert response.status_code == 422
    assert f"<p>{space.name}</p>" in response.text
    assert Space.objects.get(pk=space.pk).name == space.name


def test_the_typed_name_deletes_the_space(signed_in: Client, space: Space) -> None:
    make_memory(space)

    response = signed_in.post(f"/spaces/{space.pk}/delete/", {"name": space.name})

    assert response["Location"] == "/"
    assert not Space.objects.exists()
    assert "is deleted" in signed_in.get("/").text


@pytest.mark.parametrize("typed", ["", "no"])
def test_another_name_deletes_nothing(signed_in: Client, space: Space, typed: str) -> None:
    response = signed_in.post(f"/spaces/{space.pk}/delete/", {"name": typed})

    assert response.status_code == 422
    assert Space.objects.get() == space


def test_a_stranger_hears_the_same_as_for_a_space_that_never_was(
    signed_in: Client, db: None
) -> None:
    theirs = make_space()

    for page in ("settings", "delete"):
        answers = [
            signed_in.post(f"/spaces/{space_id}/{page}/", CHANGED)
            for space_id in (theirs.pk, uuid4())
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        # Only the nonces of the content security policy are new in every answer.
        first, second = (re.sub(r'nonce="[^"]+"', "", answer.text) for answer in answers)
        assert first == second
    theirs.refresh_from_db()
    assert theirs.name != "Renamed"


def test_who_is_signed_out_is_sent_to_sign_in(client: Client, space: Space) -> None:
    for page in ("settings", "delete"):
        address = f"/spaces/{space.pk}/{page}/"
        assert client.post(address)["Location"] == f"/sign-in/?next={address}"


def test_deleting_is_no_link(signed_in: Client, space: Space) -> None:
    assert signed_in.get(f"/spaces/{space.pk}/delete/").status_code == 405


def test_an_address_that_is_no_id_is_not_found(signed_in: Client) -> None:
    assert signed_in.get("/spaces/1/settings/").status_code == 404


def test_the_person_chooses_whether_queries_are_noted(signed_in: Client, space: Space) -> None:
    page = signed_in.get(f"/spaces/{space.pk}/settings/").text

    signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED)
    space.refresh_from_db()
    off = space.keeps_queries
    signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED | {"keeps_queries": "on"})
    space.refresh_from_db()

    assert "Note what was searched for" in page
    assert (off, space.keeps_queries) == (False, True)


def test_a_retention_that_erases_nothing_now_is_saved_at_once(
    signed_in: Client, space: Space
) -> None:
    signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED | {"retention_days": "90"})

    space.refresh_from_db()
    assert space.retention_days == 90


def test_a_retention_that_erases_something_is_asked_about_first(
    signed_in: Client, space: Space
) -> None:
    forgotten_long_ago(space)
    asked = CHANGED | {"retention_days": "30"}

    first = signed_in.post(f"/spaces/{space.pk}/settings/", asked)
    space.refresh_from_db()
    before = space.retention_days
    second = signed_in.post(f"/spaces/{space.pk}/settings/", asked | {"is_sure": "on"})
    page = signed_in.get(f"/spaces/{space.pk}/settings/").text

    assert first.status_code == 422
    assert "This erases 1 memory for good within a day." in first.text
    assert "Yes, erase them for good" in first.text
    assert before is None
    assert second.status_code == 302
    space.refresh_from_db()
    assert space.retention_days == 30
    assert "1 memory ended longer ago than that; it is erased within a day." in page


def test_keeping_everything_again_needs_no_second_question(signed_in: Client, space: Space) -> None:
    forgotten_long_ago(space)
    Space.objects.filter(pk=space.pk).update(retention_days=30)

    signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED | {"retention_days": ""})

    space.refresh_from_db()
    assert space.retention_days is None


@pytest.mark.parametrize("days", ["0", "-1", "4000", "soon"])
def test_a_retention_has_its_bounds(signed_in: Client, space: Space, days: str) -> None:
    response = signed_in.post(f"/spaces/{space.pk}/settings/", CHANGED | {"retention_days": days})

    assert response.status_code == 422
    space.refresh_from_db()
    assert space.retention_days is None


def forgotten_long_ago(space: Space) -> None:
    memory = make_memory(space)
    with inside(space):
        Memory.objects.filter(pk=memory.pk).update(
            state="forgotten", state_at=timezone.now() - timedelta(days=40)
        )
