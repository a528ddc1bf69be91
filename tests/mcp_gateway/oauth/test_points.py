"""What django-oauth-toolkit leaves open to whoever uses it: sixteen points, each closed here."""

import json
import logging
import uuid
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.conf import settings as product
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts.models import User
from mcp_gateway.models import Application
from mcp_gateway.oauth.bearer import BearerError, authenticate, digest
from mcp_gateway.oauth.known_documents import CLAUDE_CODE
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.oauth.flow import (
    App,
    answers,
    browser_of,
    connected,
    consent,
    hidden_fields,
    register,
    registered,
    revoke,
    sent_back,
)
from tests.mcp_gateway.oauth.known_clients import CHATGPT_CONNECTOR, EVIL
from tests.races import at_once


def test_point_01_every_code_and_token_is_bound_to_one_space_of_the_person(
    user: User, space: Space
) -> None:
    app, browser, foreign = registered(), browser_of(user), make_space()
    other = make_space(owner=user)
    url = app.authorize_url(resource=space.mcp_url + "/")
    code = sent_back(consent(browser, url))["code"]
    assert Grant.objects.get().resource == [space.mcp_url]

    at_another = app.exchange(code, resource=other.mcp_url)
    at_two = app.token(
        grant_type="authorization_code",
        code=code,
        redirect_uri=app.redirect,
        code_verifier=app.verifier,
        resource=[space.mcp_url, other.mcp_url],
    )
    at_foreign = app.exchange(code, resource=foreign.mcp_url)
    unnamed = app.exchange(code)

    assert {answer.json()["error"] for answer in (at_another, at_two, at_foreign)} == {
        "invalid_target"
    }
    assert unnamed.status_code == 200
    assert AccessToken.objects.get(user=user).resource == [space.mcp_url]
    assert RefreshToken.objects.get().resource == [space.mcp_url]


def test_point_02_consent_names_the_space_and_refuses_what_is_not_the_persons(
    user: User, space: Space
) -> None:
    app, browser = registered(client_name="Goose <b>"), browser_of(user)
    foreign = make_space()
    url = app.authorize_url(resource=space.mcp_url)

    page = browser.get(url)
    refused = [
        sent_back(browser.get(app.authorize_url(resource=resource)))
        for resource in (
            foreign.mcp_url,
            f"http://127.0.0.1:8000/mcp/{uuid.uuid4()}",
            "http://127.0.0.1:8000",
            f"https://evil.example/mcp/{space.pk}",
            [space.mcp_url, foreign.mcp_url],
            f"http://127.0.0.1:8000/mcp/{str(space.pk).upper()}",
            f"http://127.0.0.1:8000/mcp/{space.pk}?x",
        )
    ]
    tampered = sent_back(consent(browser, url, resource=foreign.mcp_url))

    text = page.content.decode()
    assert space.name in text
    assert "Goose &lt;b&gt;" in text
    assert "localhost:7777" in text
    assert "Read and write" in text
    for back in (*refused, tampered):
        assert back["error"] == "invalid_target"
        assert back["state"] == "xyz"
        assert back["iss"] == "http://127.0.0.1:8000"
    assert not Grant.objects.exists()


def test_point_02_a_client_that_names_no_space_lets_the_person_pick_one(
    user: User, space: Space
) -> None:
    app, browser, other, foreign = (
        registered(),
        browser_of(user),
        make_space(owner=user),
        make_space(),
    )
    url = app.authorize_url()

    page = browser.get(url)
    nothing_picked = sent_back(consent(browser, url))
    foreign_picked = sent_back(consent(browser, url, resource=foreign.mcp_url))
    back = sent_back(consent(browser, url, resource=other.mcp_url))
    tokens = app.exchange(back["code"]).json()

    text = page.content.decode()
    assert f'value="{space.mcp_url}"' in text
    assert f'value="{other.mcp_url}"' in text
    assert foreign.mcp_url not in text
    assert nothing_picked["error"] == foreign_picked["error"] == "invalid_target"
    assert authenticate(tokens["access_token"], other.pk).space == other


def test_point_02_a_person_without_a_space_is_shown_where_to_make_one(user: User) -> None:
    page = browser_of(user).get(registered().authorize_url())

    assert b"You have no space yet" in page.content
    assert b'name="allow"' not in page.content


def test_point_03_a_client_cannot_skip_consent_with_approval_prompt(
    user: User, space: Space
) -> None:
    app, other = registered(), make_space(owner=user)
    connected(app, space)

    pages = [
        browser_of(user).get(
            app.authorize_url(resource=each.mcp_url, approval_prompt=["auto", "auto"])
        )
        for each in (space, other)
    ]

    assert [page.status_code for page in pages] == [200, 200]
    assert all(b'name="allow"' in page.content for page in pages)


def test_point_04_errors_name_the_issuer(space: Space) -> None:
    app, browser = (
        registered("http://localhost:7777/cb?iss=evil&keep=a%20b"),
        browser_of(space.owner),
    )
    url = app.authorize_url(resource=space.mcp_url)

    denied = sent_back(consent(browser, url, allow=""))
    unsupported = sent_back(
        browser.get(app.authorize_url(resource=space.mcp_url, response_type="token"))
    )
    login_required = sent_back(
        Client().get(app.authorize_url(resource=space.mcp_url, prompt="none"))
    )
    granted = sent_back(consent(browser, url))

    assert denied["error"] == "access_denied"
    assert denied["keep"] == "a b"
    assert unsupported["error"] in {"unsupported_response_type", "unauthorized_client"}
    assert login_required["error"] == "login_required"
    for back in (denied, unsupported, login_required, granted):
        assert back["iss"] == "http://127.0.0.1:8000"


def test_point_05_unknown_scopes_are_left_out_and_the_answer_says_what_is_left(
    space: Space,
) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url, scope="auth:read offline_access openid")

    code = sent_back(consent(browser_of(space.owner), url))["code"]
    tokens = app.exchange(code).json()
    refreshed = app.refresh(tokens["refresh_token"], scope="auth:read offline_access").json()
    only_unknown = app.refresh(refreshed["refresh_token"], scope="offline_access").json()

    assert tokens["scope"] == refreshed["scope"] == only_unknown["scope"] == "auth:read"


def test_point_05_a_client_that_asks_for_nothing_known_is_asked_about_as_usual(
    space: Space,
) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url, scope="openid profile")

    code = sent_back(consent(browser_of(space.owner), url))["code"]

    assert app.exchange(code).json()["scope"] == "auth:read auth:write"


def test_point_05_writing_includes_reading(space: Space) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url, scope="auth:write")

    code = sent_back(consent(browser_of(space.owner), url))["code"]

    assert app.exchange(code).json()["scope"] == "auth:read auth:write"


def test_point_06_the_registration_answer_has_what_clients_look_for(db: None) -> None:
    before = int(timezone.now().timestamp())
    public = register(client_uri="https://goose.example", scope="auth:read offline_access")
    secret = register(token_endpoint_auth_method="client_secret_post")
    preflight = Client().options("/register")

    body, with_secret = public.json(), secret.json()
    assert body["client_id_issued_at"] >= before
    assert body["response_types"] == ["code"]
    assert body["grant_types"] == ["authorization_code", "refresh_token"]
    assert body["scope"] == "auth:read"
    assert body["token_endpoint_auth_method"] == "none"
    assert body["client_uri"] == "https://goose.example"
    assert "client_secret" not in body
    assert with_secret["client_secret"]
    assert with_secret["client_secret_expires_at"] == 0
    assert with_secret["token_endpoint_auth_method"] == "client_secret_post"
    assert public["Cache-Control"] == "no-store"
    assert public["Access-Control-Allow-Origin"] == "*"
    assert preflight.status_code == 204
    assert preflight["Access-Control-Allow-Origin"] == "*"
    assert "POST" in preflight["Access-Control-Allow-Methods"]


def test_point_06_plain_http_is_refused_for_every_way_to_register(
    space: Space, client_documents: None
) -> None:
    by_document = App(str(EVIL["client_id"]), "http://evil.example/callback")

    by_registration = register(redirect_uris=["http://evil.example/callback"])
    page = browser_of(space.owner).get(by_document.authorize_url(resource=space.mcp_url))
    by_hand = Application(
        redirect_uris="http://evil.example/callback",
        client_type=Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
    )

    assert by_registration.json()["error"] == "invalid_redirect_uri"
    assert page.status_code == 400
    with pytest.raises(Exception, match="Plain http is for this computer only"):
        by_hand.full_clean()


def test_point_07_metadata_answers_for_every_possible_space_and_not_for_the_host(
    space: Space,
) -> None:
    well_known = "/.well-known/oauth-protected-resource"

    real = Client().get(f"{well_known}/mcp/{space.pk}")
    unreal = Client().get(f"{well_known}/mcp/{uuid.uuid4()}")
    with_slash = Client().get(f"{well_known}/mcp/{space.pk}/")
    nowhere = [
        Client().get(f"{well_known}{path}")
        for path in ("", "/", "/mcp", "/mcp/nonsense", "/elsewhere")
    ]

    assert real.json() == {
        "resource": space.mcp_url,
        "authorization_servers": ["http://127.0.0.1:8000"],
        "scopes_supported": ["auth:read", "auth:write"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Agents Brain",
    }
    assert real["Access-Control-Allow-Origin"] == "*"
    assert with_slash.json() == real.json()
    assert unreal.status_code == 200
    assert unreal.json().keys() == real.json().keys()
    assert [answer.status_code for answer in nowhere] == [404] * 5


def test_point_08_chatgpt_connects_with_its_document_and_without_a_key(
    space: Space, client_documents: None
) -> None:
    app = App(str(CHATGPT_CONNECTOR["client_id"]), "https://chatgpt.com/connector/oauth/abc")

    page = browser_of(space.owner).get(app.authorize_url(resource=space.mcp_url))
    tokens = connected(app, space)

    assert "chatgpt.com" in page.content.decode()
    assert "Any program on your computer" not in page.content.decode()
    assert authenticate(str(tokens["access_token"]), space.pk).actor.client_name == "ChatGPT"


@pytest.mark.parametrize(
    "redirect", ["http://localhost:61234/callback", "http://127.0.0.1:5/callback"]
)
def test_point_08_claude_code_connects_on_any_port_with_a_warning(
    space: Space, client_documents: None, redirect: str
) -> None:
    app = App(str(CLAUDE_CODE["client_id"]), redirect)

    page = browser_of(space.owner).get(app.authorize_url(resource=space.mcp_url))
    tokens = connected(app, space)

    assert "Any program on your computer can use this name." in page.content.decode()
    assert tokens["refresh_token"]


def test_point_08_a_document_that_can_not_be_read_is_an_unknown_app(
    space: Space, client_documents: None
) -> None:
    app = App("https://nobody.example/client.json", "https://nobody.example/cb")

    page = browser_of(space.owner).get(app.authorize_url(resource=space.mcp_url))

    assert page.status_code == 400
    assert not page.has_header("Location")


def test_point_08_only_a_person_makes_this_server_fetch_a_document(
    space: Space, client_documents: None
) -> None:
    app = App(str(CHATGPT_CONNECTOR["client_id"]), "https://chatgpt.com/connector/oauth/abc")

    refused = [
        app.exchange("x"),
        app.refresh("x"),
        revoke(app, "x"),
        Client().get(app.authorize_url(resource=space.mcp_url)),
        Client().get(app.authorize_url(resource=space.mcp_url, prompt="none")),
    ]

    assert [answer.status_code for answer in refused] == [401, 401, 401, 302, 302]
    assert all(answer["Location"].startswith("/sign-in/") for answer in refused[3:])
    assert not Application.objects.exists()


def test_point_08_documents_are_offered_only_where_this_server_is_public(
    db: None, client_documents: None
) -> None:
    public = Client().get("/.well-known/oauth-authorization-server").json()

    assert public["client_id_metadata_document_supported"] is True
    assert "none" in public["token_endpoint_auth_methods_supported"]
    assert product.IS_LOCAL  # so that test_the_server_tells_what_it_offers finds it off


@pytest.mark.django_db(transaction=True)
def test_point_09_refreshes_that_meet_all_succeed() -> None:
    space, app = make_space(), registered()
    tokens = connected(app, space)

    together = answers(at_once(partial(app.refresh, str(tokens["refresh_token"])), times=4))

    assert [answer.status_code for answer in together] == [200] * 4
    for answer in together:
        assert authenticate(answer.json()["access_token"], space.pk).space == space


def test_point_09_a_replay_after_the_window_revokes_the_family(
    space: Space, time_machine: TimeMachineFixture
) -> None:
    app = registered()
    old = str(connected(app, space)["refresh_token"])
    new = app.refresh(old).json()
    time_machine.move_to(
        timezone.now() + timedelta(seconds=product.OAUTH_REFRESH_GRACE_SECONDS), tick=False
    )

    replayed, after = app.refresh(old), app.refresh(new["refresh_token"])

    assert replayed.json()["error"] == after.json()["error"] == "invalid_grant"
    with pytest.raises(BearerError):
        authenticate(new["access_token"], space.pk)


@pytest.mark.parametrize("address", ["/token", "/revoke"])
def test_point_10_browser_clients_may_use_the_token_endpoints(db: None, address: str) -> None:
    browser = Client(headers={"Origin": "https://inspector.example"})

    preflight = browser.options(address)
    refused = browser.post(address, data={"grant_type": "authorization_code"})

    assert preflight.status_code == 204
    assert "Content-Type" in preflight["Access-Control-Allow-Headers"]
    for answer in (preflight, refused):
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert not answer.has_header("Access-Control-Allow-Credentials")
        assert answer["Cache-Control"] == "no-store"


def test_point_11_the_pages_of_the_flow_keep_their_opener(space: Space) -> None:
    url = registered().authorize_url(resource=space.mcp_url)
    pages = [
        Client().get(url),
        Client().get("/sign-in/"),
        browser_of(space.owner).get(url),
        browser_of(space.owner).get("/authorize"),
        consent(browser_of(space.owner), url),
    ]

    assert {page["Cross-Origin-Opener-Policy"] for page in pages} == {"unsafe-none"}


def test_point_12_consent_leaves_form_action_out_and_can_not_be_framed(space: Space) -> None:
    page = browser_of(space.owner).get(registered().authorize_url(resource=space.mcp_url))

    policy = page["Content-Security-Policy"]
    assert "form-action" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'nonce-" in policy
    assert page["X-Frame-Options"] == "DENY"
    assert page["Cache-Control"] == "no-store"


def test_point_13_addresses_in_answers_come_from_the_settings_not_the_request(
    db: None, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]

    body = Client(headers={"Host": "inside.example:81"}).post(
        "/register",
        data=json.dumps({"redirect_uris": ["https://a.example/cb"]}),
        content_type="application/json",
    ).json()  # fmt: skip

    assert body["registration_client_uri"].startswith("http://127.0.0.1:8000/register/")


def test_point_14_the_toolkit_never_logs_at_debug(db: None) -> None:
    levels = [
        logging.getLogger(name).getEffectiveLevel() for name in ("oauth2_provider", "oauthlib")
    ]

    assert min(levels) >= logging.WARNING


def test_point_15_a_refresh_ends_the_earlier_access_token(space: Space) -> None:
    app = registered()
    old = connected(app, space)

    new = app.refresh(str(old["refresh_token"])).json()

    with pytest.raises(BearerError):
        authenticate(str(old["access_token"]), space.pk)
    assert authenticate(new["access_token"], space.pk).space == space


def test_point_16_the_token_that_manages_a_registration_opens_no_space(space: Space) -> None:
    value = register().json()["registration_access_token"]
    token = AccessToken.objects.get(token_checksum=digest(value))
    token.resource = [space.mcp_url]
    token.scope = "auth:read auth:write"
    token.save()

    assert token.user is None
    assert token.expires > timezone.make_aware(datetime(9999, 1, 1))  # noqa: DTZ001
    with pytest.raises(BearerError):
        authenticate(value, space.pk)


def test_a_form_with_a_nul_is_refused_and_breaks_nothing(space: Space) -> None:
    app, browser = registered(), browser_of(space.owner)
    fields = hidden_fields(browser.get(app.authorize_url(resource=space.mcp_url)))

    refused = [
        browser.get(app.authorize_url(client_id="\0")),
        browser.get(app.authorize_url(resource=space.mcp_url, state="\0")),
        browser.post("/authorize", data=fields | {"client_id": "\0", "allow": "yes"}),
        app.exchange("\0"),
        app.refresh("\0"),
        Client().post("/revoke", data={"client_id": app.client_id, "token": "\0"}),
    ]

    assert [answer.status_code for answer in refused] == [400] * 6
