import re
import uuid

from django.test import Client

from accounts.actors import Actor
from mcp_gateway.models import ApiKey
from mcp_gateway.oauth.bearer import authenticate
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.oauth.flow import browser_of


def secret_on(page: str) -> str:
    found = re.search(r"brain_[\w-]{43}", page)
    return found[0] if found else ""


def test_a_new_key_is_shown_once(signed_in: Client, space: Space) -> None:
    sent = {"label": "nightly", "access": "write", "days": "30"}

    answer = signed_in.post(f"/spaces/{space.pk}/keys/", data=sent)
    again = signed_in.get(f"/spaces/{space.pk}/keys/")

    secret = secret_on(answer.content.decode())
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    assert authenticate(secret, space.pk).may_write
    assert "nightly" in again.content.decode()
    assert secret not in again.content.decode()


def test_a_key_can_work_until_it_is_revoked(signed_in: Client, space: Space) -> None:
    sent = {"label": "for ever", "access": "read", "days": "0"}

    answer = signed_in.post(f"/spaces/{space.pk}/keys/", data=sent)

    assert answer.status_code == 201
    with inside(space):
        key = ApiKey.objects.get()
    assert key.expires_at is None
    assert key.scopes == ["auth:read"]


def test_a_form_that_is_not_right_comes_back(signed_in: Client, space: Space) -> None:
    wrong = [
        {},
        {"label": "", "access": "read", "days": "30"},
        {"label": "x", "access": "all", "days": "30"},
        {"label": "x", "access": "read", "days": "31"},
        {"label": "x" * 81, "access": "read", "days": "30"},
    ]

    answers = [signed_in.post(f"/spaces/{space.pk}/keys/", data=sent) for sent in wrong]

    assert [answer.status_code for answer in answers] == [422] * 5
    with inside(space):
        assert not ApiKey.objects.exists()


def test_revoking_a_key_shows_it_as_revoked(signed_in: Client, space: Space, actor: Actor) -> None:
    made = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"], "old"))

    answer = signed_in.post(f"/spaces/{space.pk}/keys/{made.key.pk}/revoke/", follow=True)

    assert answer.redirect_chain == [(f"/spaces/{space.pk}/keys/", 302)]
    assert "revoked" in answer.content.decode()


def test_without_keys_the_page_says_who_needs_one(signed_in: Client, space: Space) -> None:
    assert "There is no key yet" in signed_in.get(f"/spaces/{space.pk}/keys/").content.decode()


def test_a_stranger_finds_no_keys(space: Space, actor: Actor) -> None:
    made = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"]))
    stranger = browser_of(make_space().owner)
    sent = {"label": "x", "access": "read", "days": "30"}

    answers = [
        stranger.get(f"/spaces/{space.pk}/keys/"),
        stranger.post(f"/spaces/{space.pk}/keys/", data=sent),
        stranger.post(f"/spaces/{space.pk}/keys/{made.key.pk}/revoke/"),
        stranger.get(f"/spaces/{uuid.uuid4()}/keys/"),
    ]

    assert [answer.status_code for answer in answers] == [404] * 4
    assert authenticate(made.secret, space.pk).space == space


def test_an_unknown_key_and_the_wrong_method_are_refused(signed_in: Client, space: Space) -> None:
    revoke = f"/spaces/{space.pk}/keys/{uuid.uuid4()}/revoke/"

    assert signed_in.post(revoke).status_code == 404
    assert signed_in.get(revoke).status_code == 405
    assert signed_in.delete(f"/spaces/{space.pk}/keys/").status_code == 405
    assert Client().get(f"/spaces/{space.pk}/keys/").status_code == 302
