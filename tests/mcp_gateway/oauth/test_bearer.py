import uuid
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from mcp_gateway.models import ApiKey
from mcp_gateway.oauth.bearer import BearerError, authenticate
from mcp_gateway.oauth.challenges import challenge, refusal_body
from mcp_gateway.services.api_keys import KeyDetails, create_api_key, revoke_api_key
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_actor, make_space
from tests.mcp_gateway.oauth.flow import browser_of, connected, registered


def refusal(value: str, space_id: uuid.UUID) -> str:
    with pytest.raises(BearerError) as caught:
        authenticate(value, space_id)
    return caught.value.description


def make_key(space: Space, *, label: str = "", scopes: Sequence[str] = ("auth:read",)) -> str:
    details = KeyDetails(scopes, label)
    return create_api_key(space=space, actor=make_actor(space.owner), details=details).secret


def test_a_token_of_one_space_does_not_open_another(user: User, space: Space) -> None:
    token = str(connected(registered(), space)["access_token"])
    other = make_space(owner=user)

    assert authenticate(token, space.pk).space == space
    assert refusal(token, other.pk) == "The token is not valid for this address."


def test_a_foreign_space_and_none_at_all_look_the_same(space: Space) -> None:
    token = str(connected(registered(), space)["access_token"])
    foreign = make_space()

    assert refusal(token, foreign.pk) == refusal(token, uuid.uuid4())
    assert refusal("nonsense", foreign.pk) == refusal("nonsense", uuid.uuid4())


def test_an_expired_token_says_so(space: Space) -> None:
    token = str(connected(registered(), space)["access_token"])
    AccessToken.objects.update(expires=timezone.now())

    assert refusal(token, space.pk) == "The access token has expired."


def test_a_token_that_names_no_space_or_more_than_one_opens_none(space: Space) -> None:
    token = str(connected(registered(), space)["access_token"])

    for resource in ([], [space.mcp_url, space.mcp_url + "/x"], [space.mcp_url + "/"]):
        AccessToken.objects.update(resource=resource)
        assert refusal(token, space.pk)


def test_a_prefix_of_the_address_opens_nothing(space: Space) -> None:
    token = str(connected(registered(), space)["access_token"])
    AccessToken.objects.update(resource=[space.mcp_url.rpartition("/")[0]])

    assert refusal(token, space.pk)


def test_the_token_of_an_inactive_person_opens_nothing(space: Space) -> None:
    token = str(connected(registered(), space)["access_token"])
    key = make_key(space)
    User.objects.filter(pk=space.owner.pk).update(is_active=False)

    assert refusal(token, space.pk)
    assert refusal(key, space.pk)


def test_a_session_cookie_is_no_bearer(space: Space) -> None:
    browser = browser_of(space.owner)

    assert refusal(browser.cookies["brain_session"].value, space.pk)


def test_an_mcp_token_is_signed_out_on_the_dashboard(space: Space) -> None:
    token = str(connected(registered(), space)["access_token"])
    stranger = Client(headers={"Authorization": f"Bearer {token}"})

    page, rest = stranger.get("/account/apps/"), stranger.get("/api/v1/me")

    assert page.status_code == 302
    assert page["Location"].startswith("/sign-in/")
    assert rest.status_code == 401


def test_one_query_finds_out_who_calls(
    space: Space, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    token = str(connected(registered(), space)["access_token"])

    with django_assert_num_queries(1):
        caller = authenticate(token, space.pk)
        assert caller.space.owner == caller.actor.user


def test_a_key_opens_its_space(space: Space) -> None:
    key = make_key(space, label="nightly", scopes=["auth:write"])

    caller = authenticate(key, space.pk)

    assert caller.space == space
    assert caller.scopes == {"auth:read", "auth:write"}
    assert caller.actor.client_name == "nightly"
    assert caller.actor.client_key.startswith("key:")
    assert caller.actor.is_agent


def test_a_key_opens_no_other_space(user: User, space: Space) -> None:
    key, other = make_key(space), make_space(owner=user)

    assert refusal(key, other.pk) == refusal(key, uuid.uuid4())


def test_a_revoked_an_expired_and_an_unknown_key_open_nothing(space: Space) -> None:
    revoked, expired = make_key(space, label="a"), make_key(space, label="b")
    with inside(space):
        revoke_api_key(space=space, key_id=ApiKey.objects.get(label="a").pk)
        ApiKey.objects.filter(label="b").update(expires_at=timezone.now() - timedelta(seconds=1))

    assert refusal(revoked, space.pk) == "The token is not valid for this address."
    assert refusal(expired, space.pk) == "The key has expired."
    assert refusal("brain_" + "x" * 43, space.pk) == "The token is not valid for this address."


def test_a_value_that_postgresql_can_not_hold_is_refused_like_any_other(space: Space) -> None:
    assert refusal("\x00", space.pk)
    assert refusal("brain_\x00é", space.pk)
    assert refusal("", space.pk)


def test_the_challenge_leads_to_the_metadata_of_the_space(space: Space) -> None:
    plain, named = challenge(space.pk), challenge(space.pk, description="The token is bad.")
    address = f"http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp/{space.pk}"

    assert plain == f'Bearer resource_metadata="{address}", scope="auth:read auth:write"'
    assert named.startswith('Bearer error="invalid_token", error_description="The token is bad.", ')
    assert b"invalid_token" in refusal_body()
    assert b"The token is bad." in refusal_body(description="The token is bad.")
