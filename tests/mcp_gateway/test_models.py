import pytest
from django.core.exceptions import ValidationError

from accounts.actors import Actor
from mcp_gateway.models import Application, Connection, is_loopback
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from spaces.models import Space


def make_application(**fields: str) -> Application:
    usual = {
        "name": "Goose",
        "client_type": Application.CLIENT_PUBLIC,
        "authorization_grant_type": Application.GRANT_AUTHORIZATION_CODE,
        "redirect_uris": "http://localhost/cb https://a.example/cb cursor://x/cb",
    }
    return Application(**(usual | fields))


def test_a_usual_app_is_accepted_and_has_no_secret(db: None) -> None:
    application = make_application()

    application.full_clean()

    assert application.client_secret == ""


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"redirect_uris": "http://evil.example/cb"}, "Plain http is for this computer only"),
        ({"redirect_uris": "http://localhost.evil.example/cb"}, "Plain http is for"),
        ({"redirect_uris": "http://127.0.0.1@evil.example/cb"}, "Plain http is for"),
        ({"redirect_uris": "https://a.example/\x00"}, "control character"),
        ({"redirect_uris": "javascript:alert(1)"}, "invalid_scheme"),
        ({"redirect_uris": ""}, "cannot be empty"),
        ({"authorization_grant_type": "client-credentials"}, "Only the authorization code"),
    ],
)
def test_what_would_be_unsafe_is_refused_however_the_app_came(
    db: None, fields: dict[str, str], words: str
) -> None:
    with pytest.raises(ValidationError, match=words):
        make_application(**fields).full_clean()


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("http://127.0.0.1:1/cb", True),
        ("http://[::1]:1/cb", True),
        ("http://localhost", True),
        ("https://localhost", False),
        ("http://localhost.evil.example", False),
        ("http://127.0.0.1@evil.example", False),
        ("cursor://localhost", False),
    ],
)
def test_loopback_is_this_computer_and_nothing_else(uri: str, *, expected: bool) -> None:
    assert is_loopback(uri) is expected


def test_rows_are_called_what_people_call_them(space: Space, actor: Actor) -> None:
    key = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"], "nightly")).key

    assert str(key) == "nightly"
    assert str(Connection(client_name="Goose")) == "Goose"
    assert str(make_application()) == "Goose"
