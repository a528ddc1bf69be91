from django.test import Client

from accounts.models import User
from mcp_gateway.models import Application
from mcp_gateway.oauth.bearer import authenticate
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.oauth.flow import (
    REDIRECT,
    browser_of,
    connected,
    consent,
    registered,
    sent_back,
)


def test_a_client_finds_registers_signs_in_and_gets_a_token_for_one_space(space: Space) -> None:
    server = Client().get("/.well-known/oauth-authorization-server").json()
    app = registered()

    back = sent_back(consent(browser_of(space.owner), app.authorize_url(resource=space.mcp_url)))
    tokens = app.exchange(back["code"], resource=space.mcp_url).json()
    caller = authenticate(tokens["access_token"], space.pk)

    assert back["iss"] == server["issuer"]
    assert back["state"] == "xyz"
    assert tokens["token_type"] == "Bearer"
    assert tokens["scope"] == "auth:read auth:write"
    assert caller.space == space
    assert caller.actor.user == space.owner
    assert caller.actor.client_name == "Goose"
    assert caller.actor.client_key == f"app:{Application.objects.get().pk}"
    assert caller.actor.is_agent
    assert caller.may_write


def test_the_server_tells_what_it_offers(db: None) -> None:
    server = Client().get("/.well-known/oauth-authorization-server")

    assert server["Access-Control-Allow-Origin"] == "*"
    assert server.json() == {
        "issuer": "http://127.0.0.1:8000",
        "authorization_endpoint": "http://127.0.0.1:8000/authorize",
        "token_endpoint": "http://127.0.0.1:8000/token",
        "revocation_endpoint": "http://127.0.0.1:8000/revoke",
        "registration_endpoint": "http://127.0.0.1:8000/register",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": ["auth:read", "auth:write"],
        "token_endpoint_auth_methods_supported": [
            "none", "client_secret_post", "client_secret_basic",
        ],
        "revocation_endpoint_auth_methods_supported": [
            "none", "client_secret_post", "client_secret_basic",
        ],
        "client_id_metadata_document_supported": False,
        "authorization_response_iss_parameter_supported": True,
    }  # fmt: skip


def test_no_partial_openid_configuration_is_published(db: None) -> None:
    assert Client().get("/.well-known/openid-configuration").status_code == 404


def test_a_person_who_is_not_signed_in_signs_in_first_and_comes_back(space: Space) -> None:
    url = registered().authorize_url(resource=space.mcp_url)

    answer = Client().get(url)

    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in/?next=/authorize%3F")
    assert answer["Cross-Origin-Opener-Policy"] == "unsafe-none"


def test_a_person_may_grant_read_only(space: Space) -> None:
    tokens = connected(registered(), space, access="read")

    caller = authenticate(str(tokens["access_token"]), space.pk)

    assert tokens["scope"] == "auth:read"
    assert caller.scopes == {"auth:read"}
    assert not caller.may_write


def test_a_client_that_asks_to_read_can_not_be_given_more(space: Space) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url, scope="auth:read")

    page = browser_of(space.owner).get(url)
    back = sent_back(consent(browser_of(space.owner), url, access="write"))
    tokens = app.exchange(back["code"]).json()

    assert b'name="access"' not in page.content
    assert tokens["scope"] == "auth:read"


def test_a_person_who_refuses_sends_the_app_away_with_an_error(space: Space) -> None:
    url = registered().authorize_url(resource=space.mcp_url)

    answer = consent(browser_of(space.owner), url, allow="")

    assert answer["Location"].startswith(REDIRECT)
    assert sent_back(answer) == {
        "error": "access_denied",
        "state": "xyz",
        "iss": "http://127.0.0.1:8000",
    }


def test_a_code_works_once(space: Space) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url)
    code = sent_back(consent(browser_of(space.owner), url))["code"]

    first, second = app.exchange(code), app.exchange(code)

    assert first.status_code == 200
    assert second.status_code == 400
    assert second.json()["error"] == "invalid_grant"


def test_a_code_needs_the_verifier_of_its_challenge(space: Space) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url)
    code = sent_back(consent(browser_of(space.owner), url))["code"]
    app.verifier = "x" * 50

    answer = app.exchange(code)

    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_grant"


def test_plain_and_missing_pkce_are_refused_at_the_app(space: Space) -> None:
    app, browser = registered(), browser_of(space.owner)
    plain = app.authorize_url(resource=space.mcp_url, code_challenge_method="plain")
    none = app.authorize_url(
        resource=space.mcp_url, code_challenge=None, code_challenge_method=None
    )

    after_plain = sent_back(consent(browser, plain))
    after_none = sent_back(browser.get(none))

    assert after_plain["error"] == "invalid_request"
    assert after_none["error"] == "invalid_request"
    assert {after_plain["iss"], after_none["iss"]} == {"http://127.0.0.1:8000"}


def test_a_broken_request_is_a_page_and_never_a_redirect(space: Space) -> None:
    app, browser = registered(), browser_of(space.owner)
    broken = [
        app.authorize_url(redirect_uri="https://evil.example/cb"),
        app.authorize_url(redirect_uri="http://localhost:7777/other", resource=space.mcp_url),
        app.authorize_url(client_id="nobody", resource=space.mcp_url),
        app.authorize_url(client_id=None),
        app.authorize_url(client_id="nobody", resource="https://evil.example/"),
        app.authorize_url(state=["a", "b"], resource=space.mcp_url),
    ]

    answers = [browser.get(url) for url in broken]

    assert {answer.status_code for answer in answers} == {400}
    assert all(b"be connected like that" in answer.content for answer in answers)
    assert not any(answer.has_header("Location") for answer in answers)


def test_a_tampered_form_never_sends_anybody_elsewhere(space: Space) -> None:
    app, browser = registered(), browser_of(space.owner)
    url = app.authorize_url(resource=space.mcp_url)

    elsewhere = consent(browser, url, redirect_uri="https://evil.example/cb", allow="")
    unknown = consent(browser, url, client_id="nobody")
    empty = browser.post(url)

    assert [answer.status_code for answer in (elsewhere, unknown, empty)] == [400, 400, 400]


def test_the_form_needs_the_csrf_token_of_the_page(space: Space) -> None:
    url = registered().authorize_url(resource=space.mcp_url)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(space.owner)

    answer = browser.post(url, data={"allow": "yes"})

    assert answer.status_code == 403


def test_loopback_redirects_work_on_any_port(space: Space) -> None:
    app = registered("http://127.0.0.1/callback")
    app.redirect = "http://127.0.0.1:54321/callback"

    tokens = connected(app, space)

    assert authenticate(str(tokens["access_token"]), space.pk).space == space


def test_the_same_app_in_two_spaces_has_two_tokens_that_do_not_mix(
    user: User, space: Space
) -> None:
    app, other = registered(), make_space(owner=user)

    one, two = connected(app, space), connected(app, other)

    assert authenticate(str(one["access_token"]), space.pk).space == space
    assert authenticate(str(two["access_token"]), other.pk).space == other


def test_a_person_whose_account_was_closed_gets_no_tokens(space: Space) -> None:
    app = registered()
    tokens = connected(app, space)
    url = app.authorize_url(resource=space.mcp_url)
    code = sent_back(consent(browser_of(space.owner), url))["code"]
    User.objects.filter(pk=space.owner.pk).update(is_active=False)

    answers = [app.exchange(code), app.refresh(str(tokens["refresh_token"]))]

    assert [answer.json()["error"] for answer in answers] == ["invalid_grant", "invalid_grant"]


def test_hints_that_mean_nothing_here_are_tolerated(space: Space) -> None:
    app = registered()
    url = app.authorize_url(
        resource=space.mcp_url, prompt="consent", access_type="offline", ui_locales="pt-BR en"
    )

    back = sent_back(consent(browser_of(space.owner), url))

    assert app.exchange(back["code"]).status_code == 200


def test_only_two_grants_are_offered(space: Space) -> None:
    app = registered()

    answers = [
        app.token(grant_type="client_credentials"),
        app.token(grant_type="password", username="a", password="b"),
        app.token(grant_type="urn:ietf:params:oauth:grant-type:device_code", device_code="x"),
        app.token(),
    ]

    assert {answer.status_code for answer in answers} == {400}
    assert {answer.json()["error"] for answer in answers} == {"unsupported_grant_type"}
