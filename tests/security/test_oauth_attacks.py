"""Attacks on the way from an app to a token, beside the sixteen points of the toolkit."""

import json
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urljoin, urlsplit

import pytest
from django.conf import settings as product
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken
from pytest_django import Settings

from accounts.models import User
from mcp_gateway.oauth.bearer import BearerError, authenticate
from spaces.models import Space
from tests.factories import make_space, make_user
from tests.mcp_gateway.oauth.flow import (
    App,
    answers,
    browser_of,
    connected,
    consent,
    hidden_fields,
    register,
    registered,
    sent_back,
)
from tests.races import all_at_once, at_once
from tests.tally import Tally

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unlimited")]

HTTPS = "https://app.example/callback"
LOOPBACK = "http://127.0.0.1:7777/callback"
# What an attacker sends in place of the address that the app registered.
FALSE_REDIRECTS = [
    "https://evil.example/callback", "https://app.example.evil.example/callback",
    "https://evil.example/?https://app.example/callback", "https://app.example@evil.example/callback",
    "https://evil.example#@app.example/callback", "https://app.example:443@evil.example/callback",
    "https://app.example/callback#fragment", "https://app.example/callback/../evil",
    "https://app.example/callback/%2e%2e/evil", "https://app.example/callback/extra",
    "https://app.example/callback?next=evil", "https://app.example/CALLBACK",
    "https://app.example:8443/callback", "http://app.example/callback",
    "https://www.app.example/callback", "https://app.example./callback",
    "https://app.example\\@evil.example/callback", "https://evil.example\\.app.example/callback",
    "https://app.example%2f@evil.example/callback", "https://app.example%00.evil.example/callback",
    "//app.example/callback", "/callback", "javascript:alert(1)", "data:text/html,x",
    "https:app.example/callback", "https:///app.example/callback", "https://аpp.example/callback",
    "https://app。example/callback", "https://app.example/callback\r\nX-Injected: yes",
    "https://app.example/callback ", " https://app.example/callback", "https://app.example/call\tback",
    "HTTPS://app.example/callback/..", "https://app.example", "https://*.example/callback",
    "http://127.0.0.1:7777.evil.example/callback", "http://127.0.0.1@evil.example/callback",
    "http://localhost.evil.example/callback", "http://0.0.0.0:7777/callback",
    "http://127.0.0.2:7777/callback", "http://2130706433:7777/callback",
    "http://127.0.0.1:7777/other", "https://127.0.0.1:7777/callback", "http://[::1]:7777/callback",
    "urn:ietf:wg:oauth:2.0:oob", "",
]  # fmt: skip


def test_no_address_but_the_registered_one_is_ever_led_to(space: Space, tried: Tally) -> None:
    app = registered(HTTPS, redirect_uris=[HTTPS, LOOPBACK])
    browser = browser_of(space.owner)
    page = browser.get(app.authorize_url(resource=space.mcp_url))
    fields = hidden_fields(page) | {"allow": "yes"}

    for false in FALSE_REDIRECTS:
        urls = [
            app.authorize_url(resource=space.mcp_url, redirect_uri=false),
            app.authorize_url(resource=space.mcp_url, redirect_uri=false, response_type="token"),
            app.authorize_url(resource=space.mcp_url, redirect_uri=[HTTPS, false]),
        ]
        led = [
            *map(browser.get, urls),
            browser.post("/authorize", fields | {"redirect_uri": false}),
        ]
        tried.add(len(led))
        for answer in led:
            # A blank around the right address may be forgiven: it leads where it should.
            is_right = false.strip() == HTTPS and answer.get("Location", "").startswith(f"{HTTPS}?")
            assert answer.status_code == 400 or is_right, (false, answer.get("Location"))
            assert not answer.has_header("X-Injected")


@pytest.mark.parametrize("port", ["1", "65535", "61234"])
def test_only_the_port_of_a_loopback_address_is_free(space: Space, port: str) -> None:
    app = registered(LOOPBACK)
    free = LOOPBACK.replace("7777", port)

    back = consent(browser_of(space.owner), app.authorize_url(
        resource=space.mcp_url, redirect_uri=free
    ))  # fmt: skip

    assert back["Location"].startswith(f"{free}?")


def test_a_code_is_worth_nothing_to_anybody_but_its_app(space: Space, tried: Tally) -> None:
    """Injection of a stolen code: another app, another verifier, another address, another space."""
    app, evil = registered(), registered()
    own = make_space(owner=space.owner)
    url = app.authorize_url(resource=space.mcp_url)

    def code() -> str:
        return sent_back(consent(browser_of(space.owner), url))["code"]

    thefts = {
        "another app": evil.exchange(code()),
        "another app with the verifier": App(
            evil.client_id, app.redirect, verifier=app.verifier
        ).exchange(code()),
        "another verifier": App(app.client_id, app.redirect).exchange(code()),
        "no verifier": app.token(
            grant_type="authorization_code", code=code(), redirect_uri=app.redirect
        ),
        "an empty verifier": App(app.client_id, app.redirect, verifier="").exchange(code()),
        "the challenge as verifier": App(
            app.client_id, app.redirect, verifier=challenge_of(url)
        ).exchange(code()),
        "another address": App(
            app.client_id, "http://localhost:7778/other", verifier=app.verifier
        ).exchange(code()),
        "another space": app.exchange(code(), resource=own.mcp_url),
        "cut": app.exchange(code()[:-1]),
        "longer": app.exchange(code() + "a"),
        "no client": Client().post("/token", {
            "grant_type": "authorization_code", "code": code(), "redirect_uri": app.redirect,
            "code_verifier": app.verifier,
        }),
        "as a refresh token": app.refresh(code()),
    }  # fmt: skip
    tried.add(len(thefts))

    for who, answer in thefts.items():
        assert answer.status_code in {400, 401}, who
        assert "access_token" not in answer.json(), who
    assert not AccessToken.objects.filter(user=space.owner).exists()


def challenge_of(url: str) -> str:
    return parse_qs(urlsplit(url).query)["code_challenge"][0]


def test_a_code_that_is_used_again_ends_what_it_was_used_for(space: Space) -> None:
    """RFC 6749, 4.1.2: whoever is second may be the thief, or the first was."""
    app = registered()
    url = app.authorize_url(resource=space.mcp_url)
    code = sent_back(consent(browser_of(space.owner), url))["code"]
    first = app.exchange(code).json()
    a_while_ago = timezone.now() - timedelta(seconds=6)
    RefreshToken.objects.update(created=a_while_ago)

    again = app.exchange(code)

    assert again.json()["error"] == "invalid_grant"
    with pytest.raises(BearerError):
        authenticate(first["access_token"], space.pk)
    assert app.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_code_lapses_soon(space: Space) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url)
    code = sent_back(consent(browser_of(space.owner), url))["code"]
    grant = Grant.objects.get()

    lives_for = grant.expires - timezone.now()
    grant.expires = timezone.now()
    grant.save()
    late = app.exchange(code)

    assert lives_for <= timedelta(minutes=10)
    assert late.json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge": ""},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": None},
        {"code_challenge_method": ""},
        {"code_challenge_method": "s256"},
        {"code_challenge_method": "S512"},
        {"code_challenge_method": ["S256", "plain"]},
        {"code_challenge_method": ["plain", "S256"]},
    ],
    ids=[
        "none",
        "empty",
        "plain",
        "no method",
        "empty method",
        "small",
        "unknown",
        "both",
        "both2",
    ],
)
def test_pkce_is_neither_left_out_nor_weakened(space: Space, changes: dict[str, object]) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url, **changes)

    browser = browser_of(space.owner)
    page = browser.get(url)
    answer = consent(browser, url) if page.status_code == 200 else page

    assert answer.status_code in {302, 400}
    if answer.status_code == 302:
        assert answer["Location"].startswith(app.redirect)
        back = sent_back(answer)
        # Of two methods the last one counts, and then it is the strong one. A code without a
        # challenge is one that nobody can exchange.
        if "code" in back:
            for verifier in ("", "x" * 43):
                stolen = App(app.client_id, app.redirect, verifier=verifier)
                assert stolen.exchange(back["code"]).status_code == 400
            without = app.token(
                grant_type="authorization_code", code=back["code"], redirect_uri=app.redirect
            )
            assert without.status_code == 400


def test_pkce_is_not_weakened_in_the_form_that_comes_back(space: Space, tried: Tally) -> None:
    app, browser = registered(), browser_of(space.owner)
    url = app.authorize_url(resource=space.mcp_url)

    for changes in (
        {"code_challenge": "", "code_challenge_method": ""},
        {"code_challenge_method": "plain"},
        {"code_challenge": ""},
        {"code_challenge_method": ""},
    ):
        back = consent(browser, url, **changes)
        tried.add()
        if back.status_code == 302 and "code" in sent_back(back):
            stolen = App(app.client_id, app.redirect, verifier="")
            assert stolen.exchange(sent_back(back)["code"]).status_code == 400, changes
            assert app.token(
                grant_type="authorization_code", redirect_uri=app.redirect,
                code=sent_back(back)["code"],
            ).status_code == 400, changes  # fmt: skip
    assert not AccessToken.objects.filter(user=space.owner).exists()


def test_every_answer_to_an_app_names_who_answers(space: Space, tried: Tally) -> None:
    """RFC 9207: an app with two servers must see which of them sent the person back."""
    app, browser = registered(), browser_of(space.owner)
    asked = [
        app.authorize_url(resource=space.mcp_url, iss="https://evil.example"),
        app.authorize_url(resource=space.mcp_url, state="x&iss=https://evil.example"),
        app.authorize_url(resource=make_space().mcp_url, iss="https://evil.example"),
        app.authorize_url(resource=space.mcp_url, response_type="token"),
    ]
    for url in asked:
        page = browser.get(url)
        answer = page if page.status_code == 302 else consent(browser, url)
        tried.add()
        query = parse_qs(urlsplit(answer["Location"]).query)
        assert query["iss"] == [product.PUBLIC_URL], url


@pytest.mark.parametrize(
    "state", ["x\r\nSet-Cookie: a=b", "x&code=evil", "<script>", "é", "x" * 2000]
)
def test_a_state_comes_back_as_it_was_and_adds_nothing(space: Space, state: str) -> None:
    app = registered()
    url = app.authorize_url(resource=space.mcp_url, state=state)

    answer = consent(browser_of(space.owner), url)

    query = parse_qs(urlsplit(answer["Location"]).query)
    assert query["state"] == [state]
    assert len(query["code"]) == 1
    assert "\n" not in answer["Location"]
    assert not answer.cookies.get("a")


@pytest.mark.parametrize(
    "changes",
    [
        {"prompt": "none"},
        {"prompt": ["none", "none"]},
        {"approval_prompt": "auto"},
        {"approval_prompt": "force", "prompt": "none"},
        {"skip_authorization": "true"},
        {"allow": "yes"},
        {"allow": "Authorize", "access": "write"},
        {"response_mode": "form_post"},
        {"response_mode": "web_message"},
        {"max_age": "0"},
        {"id_token_hint": "x"},
        {"request": "x"},
        {"request_uri": "https://evil.example/request"},
    ],
    ids=" ".join,
)
def test_no_parameter_skips_the_person(
    space: Space, changes: dict[str, object], tried: Tally
) -> None:
    """Also for an app that the person let in before."""
    app, other = registered(), make_space(owner=space.owner)
    connected(app, space)
    count = Grant.objects.count()

    for each in (space, other):
        answer = browser_of(space.owner).get(app.authorize_url(resource=each.mcp_url, **changes))
        tried.add()
        if answer.status_code == 302:
            assert "code" not in sent_back(answer)
        assert b"code=" not in answer.content
    assert Grant.objects.count() == count


def test_a_foreign_page_lets_nobody_in(space: Space, tried: Tally) -> None:
    """CSRF on the consent: the form without, with a stolen, and with a foreign token."""
    app = registered()
    url = app.authorize_url(resource=space.mcp_url)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(space.owner)
    fields = hidden_fields(browser.get(url)) | {"allow": "yes"}
    evil = Client(enforce_csrf_checks=True)
    evil.force_login(make_user())
    theirs = hidden_fields(evil.get("/account/"))

    forged = [
        {**fields, "csrfmiddlewaretoken": ""},
        {**fields, "csrfmiddlewaretoken": "a" * 64},
        {**fields, "csrfmiddlewaretoken": theirs["csrfmiddlewaretoken"]},
    ]
    answers = [browser.post(url, each) for each in forged]
    cross = browser.post(url, fields, headers={"origin": "https://evil.example"})
    tried.add(4)

    assert [answer.status_code for answer in (*answers, cross)] == [403] * 4
    assert not Grant.objects.exists()


def test_nobody_grants_the_space_of_somebody_else(space: Space, tried: Tally) -> None:
    """Whoever fills in the form: not the owner, or the owner of nothing."""
    app, stranger = registered(), make_user()
    own = make_space(owner=stranger)
    fields = hidden_fields(browser_of(stranger).get(app.authorize_url(resource=own.mcp_url)))
    spellings = [
        space.mcp_url, f"{space.mcp_url}/", f"{own.mcp_url}/../{space.pk}", f"{space.mcp_url}#x",
        f" {space.mcp_url}", f"{own.mcp_url} {space.mcp_url}", f"{own.mcp_url},{space.mcp_url}",
        f'["{space.mcp_url}"]', space.mcp_url.replace("127.0.0.1", "localhost"),
        f"{own.mcp_url}?{space.mcp_url}", str(space.pk),
    ]  # fmt: skip

    for resource in spellings:
        answer = browser_of(stranger).post(
            "/authorize", fields | {"resource": resource, "allow": "yes"}
        )
        tried.add()
        assert answer.status_code in {302, 400}
        if answer.status_code == 302:
            back = sent_back(answer)
            assert back.get("error") == "invalid_target" or bound_to(back["code"]) == [own.mcp_url]
    assert not Grant.objects.filter(resource__contains=[space.mcp_url]).exists()


def bound_to(code: str) -> list[str]:
    resource: list[str] = Grant.objects.get(code=code).resource
    return resource


def test_a_granted_code_stays_with_its_space_however_the_exchange_spells_it(
    space: Space, tried: Tally
) -> None:
    other, foreign = make_space(owner=space.owner), make_space()
    for resource in (
        other.mcp_url, foreign.mcp_url, f"{space.mcp_url}/../{other.pk}", f"{space.mcp_url}#x",
        f"{space.mcp_url}?x", product.PUBLIC_URL, f"{product.PUBLIC_URL}/mcp", "", "*",
        [space.mcp_url, other.mcp_url], [other.mcp_url, space.mcp_url], space.mcp_url.upper(),
    ):  # fmt: skip
        app = registered()
        url = app.authorize_url(resource=space.mcp_url)
        code = sent_back(consent(browser_of(space.owner), url))["code"]
        answer = app.exchange(code, resource=resource)
        tried.add()
        if answer.status_code == 200:
            assert authenticate(answer.json()["access_token"], space.pk).space == space
            with pytest.raises(BearerError):
                authenticate(answer.json()["access_token"], other.pk)
        else:
            assert answer.json()["error"] in {"invalid_target", "invalid_request", "invalid_grant"}
    bindings = AccessToken.objects.filter(user=space.owner).values_list("resource", flat=True)
    assert all(resource == [space.mcp_url] for resource in bindings)


def test_a_refresh_token_is_worth_nothing_to_anybody_but_its_app(
    user: User, space: Space, tried: Tally
) -> None:
    app, evil = registered(), registered()
    other = make_space(owner=user)
    token = str(connected(app, space)["refresh_token"])

    thefts = [
        evil.refresh(token),
        Client().post("/token", {"grant_type": "refresh_token", "refresh_token": token}),
        app.refresh(token, resource=other.mcp_url),
        app.refresh(token[:-1]),
        app.refresh(token.swapcase()),
        app.exchange(token),
        app.token(grant_type="client_credentials"),
        app.token(grant_type="password", username=user.email, password="x"),
        app.token(
            grant_type="urn:ietf:params:oauth:grant-type:token-exchange", subject_token=token
        ),
        app.token(grant_type="urn:ietf:params:oauth:grant-type:jwt-bearer", assertion=token),
        app.token(grant_type="urn:ietf:params:oauth:grant-type:device_code", device_code=token),
        app.token(grant_type=["refresh_token", "client_credentials"], refresh_token=token),
        Client().get("/token", {"grant_type": "refresh_token", "refresh_token": token}),
    ]
    tried.add(len(thefts))

    assert all(answer.status_code in {400, 401, 405} for answer in thefts)
    assert all(b"access_token" not in answer.content for answer in thefts)
    assert app.refresh(token).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_thief_who_refreshes_at_the_same_moment_is_thrown_out_with_the_family(
    tried: Tally,
) -> None:
    """Sessions of one program meet at once; the old token, later, ends what each of them got."""
    space, app = make_space(), registered()
    old = str(connected(app, space)["refresh_token"])
    together = answers(at_once(partial(app.refresh, old), times=6))
    tried.add(6)
    later = timezone.now() - timedelta(seconds=product.OAUTH_REFRESH_GRACE_SECONDS + 1)
    RefreshToken.objects.exclude(revoked=None).update(revoked=later)

    replayed = app.refresh(old)

    assert replayed.json()["error"] == "invalid_grant"
    for answer in together:
        assert answer.status_code == 200
        with pytest.raises(BearerError):
            authenticate(answer.json()["access_token"], space.pk)
        assert app.refresh(answer.json()["refresh_token"]).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_a_refresh_and_a_sign_out_at_once_leave_no_token(tried: Tally) -> None:
    """Whichever comes first: what the person ended has ended."""
    for _ in range(20):
        space, app = make_space(), registered()
        tokens = connected(app, space)
        refresh = partial(app.refresh, str(tokens["refresh_token"]))
        end = partial(revoked_by, app, str(tokens["refresh_token"]))

        outcomes = answers(all_at_once([refresh, end, refresh]))
        tried.add()

        for answer in outcomes:
            if answer.status_code == 200 and answer.content:
                with pytest.raises(BearerError):
                    authenticate(answer.json()["access_token"], space.pk)


def revoked_by(app: App, token: str) -> "Answer":
    return Client().post("/revoke", data={"client_id": app.client_id, "token": token})


HOSTILE_METADATA: list[dict[str, object]] = [
    {"redirect_uris": ["javascript:alert(1)"]},
    {"redirect_uris": ["data:text/html,<script>"]},
    {"redirect_uris": ["vbscript:x"]},
    {"redirect_uris": ["file:///etc/passwd"]},
    {"redirect_uris": ["https://a.example/cb#fragment"]},
    {"redirect_uris": ["https://user:pw@a.example/cb", "ftp://a.example"]},
    {"redirect_uris": ["https://"]},
    {"redirect_uris": ["https://*.example/cb"]},
    {"redirect_uris": ["https://a.example/\ud800"]},
    {"redirect_uris": ["https://a.example/cb"] * 400},
    {"redirect_uris": [f"https://a.example/{'x' * 7000}"]},
    {"redirect_uris": {"0": "https://a.example"}},
    {"redirect_uris": [None]},
    {"redirect_uris": [["https://a.example/cb"]]},
    {"redirect_uris": "https://a.example/cb"},
    {"client_name": ["x"]},
    {"client_name": {"a": 1}},
    {"client_name": "\ud800\x00\u202e"},
    {"client_name": "x" * 7000},
    {"grant_types": "authorization_code"},
    {"grant_types": [{}]},
    {"grant_types": ["client_credentials"]},
    {"grant_types": ["password", "implicit"]},
    {"response_types": ["token"]},
    {"token_endpoint_auth_method": ["none"]},
    {"token_endpoint_auth_method": {"a": 1}},
    {"token_endpoint_auth_method": "private_key_jwt"},
    {"scope": 7},
    {"scope": ["auth:read"]},
    {"scope": "x" * 5000},
    {"client_uri": "javascript:alert(1)"},
    {"logo_uri": {"a": []}},
    {"jwks": {"keys": []}},
    {"client_id": "mine"},
    {"client_secret": "mine"},
    {"skip_authorization": True},
    {"user": 1},
    {"registration_source": "manual"},
]


def test_hostile_metadata_is_refused_or_made_harmless(
    space: Space, settings: Settings, tried: Tally
) -> None:
    settings.OAUTH_REGISTRATION_LIMIT = "1000/hour"

    for changes in HOSTILE_METADATA:
        answer = register(**changes)
        tried.add()
        assert answer.status_code in {201, 400}, changes
        body = answer.json()
        if answer.status_code == 400:
            assert body["error"] in {"invalid_redirect_uri", "invalid_client_metadata"}, changes
            continue
        assert body["client_id"] != "mine"
        assert body.get("client_secret") != "mine"
        for uri in body["redirect_uris"]:
            assert urlsplit(uri).scheme in {"https", "http"}, changes
            assert not urlsplit(uri).fragment, changes
        app = App(body["client_id"], body["redirect_uris"][0])
        page = browser_of(space.owner).get(app.authorize_url(resource=space.mcp_url))
        assert b'name="allow"' in page.content or page.status_code == 400, changes


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 8000,
        b'{"redirect_uris":' + b"[" * 7000 + b"]" * 1000 + b"}",
        b'{"a":' * 1500 + b"1" + b"}" * 1500,
        b'{"redirect_uris": ["https://a.example/cb"], "client_name": ' + b"9" * 5000 + b"}",
        b'{"redirect_uris": NaN}',
        b'{"redirect_uris": ["https://a.example/cb"], "client_name": Infinity}',
        b'{"redirect_uris": ["https://a.example/cb"], "redirect_uris": ["javascript:alert(1)"]}',
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf{}",
        b"{}" * 2,
        b"x" * 5_000_000,
        b"null",
        b"1e400",
    ],
    ids=["deep", "deep list", "deep object", "number", "nan", "infinity", "twice", "utf16", "bom",
         "two", "large", "null", "float"],
)  # fmt: skip
def test_what_is_no_metadata_is_refused_in_words(db: None, body: bytes) -> None:
    answer = Client().post("/register", data=body, content_type="application/json")

    assert answer.status_code in {201, 400, 413}
    if answer.status_code != 201:
        assert answer.json()["error"]
    else:
        assert answer.json()["redirect_uris"] == ["https://a.example/cb"]


def test_forms_that_are_no_forms_are_refused_at_every_oauth_address(
    space: Space, tried: Tally
) -> None:
    bodies: list[tuple[bytes, str]] = [
        (b"\xff=\xfe", "application/x-www-form-urlencoded"),
        (b"grant_type=refresh_token&refresh_token=%ff%fe", "application/x-www-form-urlencoded"),
        (b"a=1&" * 2000, "application/x-www-form-urlencoded"),
        (b"a=" + b"x" * 5_000_000, "application/x-www-form-urlencoded"),
        (b"[" * 100_000, "application/json"),
        (json.dumps({"grant_type": "refresh_token"}).encode(), "application/json"),
        (b"--x\r\n", "multipart/form-data; boundary=x"),
        (b"--x\r\n", "multipart/form-data"),
        (b"", "text/plain"),
        (b"grant_type=authorization_code", "application/x-www-form-urlencoded; charset=utf-7"),
        (b"grant_type=authorization_code", "application/x-www-form-urlencoded; charset=nonsense"),
    ]

    browser = browser_of(space.owner)
    for address in ("/token", "/revoke", "/authorize"):
        for body, kind in bodies:
            answer = browser.generic("POST", address, body, kind)
            tried.add()
            assert 400 <= answer.status_code < 500, (address, kind, body[:40])


@pytest.mark.parametrize(
    "onward",
    ["https://evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example",
     "https:evil.example", "http:///evil.example", "javascript:alert(1)", "/\t/evil.example",
     "\x01https://evil.example", "/%0d%0aX-Injected: yes", "https://127.0.0.1:8000@evil.example",
     "//127.0.0.1:8000.evil.example", "https://127.0.0.1:8000\\.evil.example", "@evil.example",
     "data:text/html,x", "no-such-page", "admin:index", "/\n/evil.example", "http://127.0.0.1:8000:80@evil.example/"],
)  # fmt: skip
def test_sign_in_leads_to_no_other_site(user: User, onward: str) -> None:
    answers = [
        browser_of(user).get(f"/sign-in/?next={quote(onward)}"),
        browser_of(user).get(f"/sign-in/code/?next={quote(onward)}"),
        browser_of(user).post("/sign-in/", {"next": onward}),
    ]

    for answer in answers:
        assert answer.status_code == 302
        here = f"{product.PUBLIC_URL}/sign-in/"
        target = answer["Location"].replace("\\", "/")
        assert urljoin(here, target).startswith(f"{product.PUBLIC_URL}/"), target
        assert not answer.has_header("X-Injected")
