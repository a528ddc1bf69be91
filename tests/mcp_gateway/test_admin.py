import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from oauth2_provider.models import AccessToken, RefreshToken

from accounts.actors import Actor
from mcp_gateway.models import ApiKey, Application
from mcp_gateway.oauth.bearer import BearerError, authenticate
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from mcp_gateway.services.connections import record_use
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_user
from tests.mcp_gateway.oauth.flow import connected, registered
from tests.operators import verified_browser


def operator() -> Client:
    return verified_browser(make_user(is_staff=True, is_superuser=True))


def test_operators_see_the_keys_and_connections_of_a_space_but_no_hash(
    space: Space, actor: Actor
) -> None:
    made = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"], "nightly"))
    record_use(authenticate(made.secret, space.pk))

    keys = operator().get(f"/admin/mcp_gateway/apikey/?q={space.pk}").content.decode()
    uses = operator().get(f"/admin/mcp_gateway/connection/?q={space.pk}").content.decode()
    without = operator().get("/admin/mcp_gateway/apikey/?q=nonsense").content.decode()

    with inside(space):
        assert ApiKey.objects.get().key_hash not in keys
    assert "nightly" in keys
    assert "nightly" in uses
    assert "nightly" not in without
    assert operator().get(f"/admin/mcp_gateway/apikey/{made.key.pk}/change/").status_code != 200


def test_operators_see_apps_and_their_secrets_nowhere(db: None) -> None:
    registered(client_name="Goose", token_endpoint_auth_method="client_secret_post")
    application = Application.objects.get()

    listed = operator().get("/admin/mcp_gateway/application/?q=goose").content.decode()
    page = operator().get(f"/admin/mcp_gateway/application/{application.pk}/change/")

    assert "Goose" in listed
    assert application.client_secret not in page.content.decode()
    assert page.status_code == 200


def test_operators_see_who_let_which_app_in_and_no_token(space: Space) -> None:
    app = registered(client_name="Goose")
    tokens = connected(app, space)

    listed = operator().get("/admin/oauth2_provider/accesstoken/?q=goose").content.decode()
    others = [
        operator().get(f"/admin/oauth2_provider/{model}/") for model in ("grant", "refreshtoken")
    ]

    assert "Goose" in listed
    # The token with which the app manages its registration opens no space.
    assert AccessToken.objects.filter(user=None).exists()
    assert "1 access token" in listed
    assert space.mcp_url in listed
    assert str(tokens["access_token"]) not in listed
    assert str(tokens["refresh_token"]) not in listed
    token = AccessToken.objects.get(application__name="Goose", user=space.owner)
    assert token.token_checksum not in listed
    page = operator().get(f"/admin/oauth2_provider/accesstoken/{token.pk}/change/")
    assert str(tokens["access_token"]) not in page.content.decode()
    assert [answer.status_code for answer in others] == [404, 404]


def test_operators_end_the_access_of_an_app_to_a_space(space: Space) -> None:
    app = registered(client_name="Goose")
    tokens = connected(app, space)
    token = AccessToken.objects.get(application__name="Goose", user=space.owner)
    chosen = {"action": "end_access", "_selected_action": [token.pk]}

    page = operator().post("/admin/oauth2_provider/accesstoken/", chosen, follow=True)

    assert "1 access was ended." in page.content.decode()
    assert not RefreshToken.objects.filter(user=space.owner).exists()
    with pytest.raises(BearerError):
        authenticate(str(tokens["access_token"]), space.pk)


def test_operators_revoke_a_key(space: Space, actor: Actor) -> None:
    made = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"], "nightly"))
    chosen = {"action": "revoke", "_selected_action": [made.key.pk]}

    operator().post(f"/admin/mcp_gateway/apikey/?q={space.pk}", chosen)

    with pytest.raises(BearerError):
        authenticate(made.secret, space.pk)


def test_staff_who_may_only_look_end_nothing(space: Space, actor: Actor) -> None:
    made = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"], "nightly"))
    staff = make_user(is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    chosen = {"action": "revoke", "_selected_action": [made.key.pk]}

    verified_browser(staff).post(f"/admin/mcp_gateway/apikey/?q={space.pk}", chosen)

    assert authenticate(made.secret, space.pk).space == space
