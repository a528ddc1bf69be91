import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from mcp_gateway.models import Application
from spaces.models import Space
from tests.mcp_gateway.oauth.flow import App, connected, register, registration
from tests.mcp_gateway.oauth.known_clients import CLAUDE_AI


def test_a_client_that_names_no_way_to_authenticate_gets_a_secret(space: Space) -> None:
    sent = {"client_name": "X", "redirect_uris": ["http://127.0.0.1:5000/cb"]}

    body = Client().post("/register", data=sent, content_type="application/json").json()

    assert body["token_endpoint_auth_method"] == "client_secret_basic"
    app = App(body["client_id"], "http://127.0.0.1:5000/cb", body["client_secret"])
    assert connected(app, space)["access_token"]


def test_a_confidential_client_without_its_secret_gets_nothing(space: Space) -> None:
    body = register(**CLAUDE_AI).json()
    app = App(body["client_id"], "https://claude.ai/api/mcp/auth_callback", body["client_secret"])
    tokens = connected(app, space)

    app.client_secret = "wrong"
    wrong = app.refresh(str(tokens["refresh_token"]))
    app.client_secret = ""
    none = app.refresh(str(tokens["refresh_token"]))

    assert wrong.status_code == none.status_code == 401
    assert wrong.json()["error"] == none.json()["error"] == "invalid_client"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"redirect_uris": ["http://evil.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/cb", "http://b.example"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["data:text/html,x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["raycast://oauth?package_name=mcp"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["http://[::1"]}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://a.example/cb"}, "invalid_redirect_uri"),
        ({"redirect_uris": [7]}, "invalid_redirect_uri"),
        ({"redirect_uris": None}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/cb#x"]}, "invalid_client_metadata"),
        ({"redirect_uris": ["https://a.example/a javascript:x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/\x00"]}, "invalid_redirect_uri"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": ["none"]}, "invalid_client_metadata"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"grant_types": ["implicit"]}, "invalid_client_metadata"),
        ({"grant_types": "authorization_code"}, "invalid_client_metadata"),
        ({"grant_types": []}, "invalid_client_metadata"),
        ({"client_name": "x" * 9000}, "invalid_client_metadata"),
        ({"client_name": "x" * 2_000_000}, "invalid_client_metadata"),
    ],
)
def test_what_can_not_be_served_is_refused(db: None, changes: dict[str, object], code: str) -> None:
    answer = register(**changes)

    assert answer.status_code == 400
    assert answer.json()["error"] == code
    assert not Application.objects.exists()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'"x"', b"null"])
def test_a_body_that_is_no_object_is_refused(db: None, body: bytes) -> None:
    answer = Client().post("/register", data=body, content_type="application/json")

    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_client_metadata"


def test_unknown_schemes_are_left_out_when_others_remain(db: None) -> None:
    uris = ["raycast://oauth", "https://a.example/cb", "javascript:alert(1)"]

    body = register(redirect_uris=uris).json()

    assert body["redirect_uris"] == ["https://a.example/cb"]


def test_a_name_can_not_disguise_itself(db: None) -> None:
    register(client_name="Claude\u202e\u0000 \n by   us" + "x" * 200)
    register(client_name=["x"])

    names = sorted(Application.objects.values_list("name", flat=True))

    assert names[0] == ""
    assert names[1].startswith("Claude by us")
    assert len(names[1]) == 80


def test_registering_too_often_from_one_place_is_slowed_down(db: None, settings: Settings) -> None:
    settings.OAUTH_REGISTRATION_LIMIT = "2/hour"

    answers = [register() for _ in range(3)]

    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert int(answers[2]["Retry-After"]) > 0
    assert answers[2].json()["error"] == "temporarily_unavailable"


def test_nobody_registers_while_the_limits_can_not_be_counted(db: None, settings: Settings) -> None:
    settings.RATE_LIMIT_URL = "redis+unix:///nowhere/valkey.sock"

    answer = register()

    assert answer.status_code == 503
    assert answer.json()["error"] == "temporarily_unavailable"
    assert not Application.objects.exists()


def test_a_registration_belongs_to_nobody_whoever_is_signed_in(
    user: User, signed_in: Client
) -> None:
    signed_in.post("/register", data=registration(), content_type="application/json")

    assert Application.objects.get().user is None


def test_a_client_reads_changes_and_withdraws_its_registration(db: None) -> None:
    body = register().json()
    headers = {"Authorization": f"Bearer {body['registration_access_token']}"}
    address = f"/register/{body['client_id']}"
    browser = Client(headers=headers)

    read = browser.get(address)
    refused = browser.put(
        address,
        data=registration(redirect_uris=["http://evil.example/cb"]),
        content_type="application/json",
    )
    changed = browser.put(
        address, data=registration(client_name="Duck"), content_type="application/json"
    )
    stranger = Client().get(address)
    headers["Authorization"] = f"Bearer {changed.json()['registration_access_token']}"
    withdrawn = Client(headers=headers).delete(address)

    assert read.status_code == 200
    assert read.json()["registration_client_uri"] == f"http://127.0.0.1:8000{address}"
    assert refused.json()["error"] == "invalid_redirect_uri"
    assert changed.json()["client_name"] == "Duck"
    assert stranger.status_code == 401
    assert withdrawn.status_code == 204
    assert not Application.objects.exists()


def test_a_connected_client_can_withdraw_itself_too(space: Space) -> None:
    body = register().json()
    connected(App(body["client_id"]), space)

    headers = {"Authorization": f"Bearer {body['registration_access_token']}"}
    withdrawn = Client(headers=headers).delete(f"/register/{body['client_id']}")

    assert withdrawn.status_code == 204
