from django.test import Client

from accounts.actors import Actor
from mcp_gateway.models import ApiKey, Application
from mcp_gateway.oauth.bearer import authenticate
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from mcp_gateway.services.connections import record_use
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_user
from tests.mcp_gateway.oauth.flow import registered
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


def test_operators_see_no_tokens(db: None) -> None:
    answers = [
        operator().get(f"/admin/oauth2_provider/{model}/") for model in ("accesstoken", "grant")
    ]

    assert [answer.status_code for answer in answers] == [404, 404]
