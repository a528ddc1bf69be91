"""Limits: how often, how much at a time, and how much in all."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis
import uvicorn
from asgiref.sync import sync_to_async
from django.conf import LazySettings
from django.test import Client
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from accounts.http import network_of
from accounts.models import User
from brain.asgi import application
from brain.bodies import takes_up_to
from brain.lib import rate_limits
from brain.lib.errors import TooManyError, UnavailableError
from brain.lib.rate_limits import Count, admit, count_against
from mcp_gateway.scopes import READ
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.clients import POST_HEADERS, key_of, rpc, web
from tests.mcp_gateway.oauth.flow import registered
from tests.settings import VALKEY

HERE = "198.51.100.7"


@pytest.fixture(autouse=True)
def _valkey_is_asked() -> Iterator[None]:
    """Forget outages that an earlier test has caused."""
    rate_limits._outage.until = 0.0
    yield
    rate_limits._outage.until = 0.0


@pytest.fixture
def limit(settings: LazySettings) -> "Limits":
    return Limits(settings)


class Limits:
    """Sets one limit of this test, and turns the others off."""

    def __init__(self, settings: LazySettings) -> None:
        self._settings = settings

    def __call__(self, name: str, rate: str = "2/minute") -> None:
        off = dict.fromkeys(self._settings.RATE_LIMITS, "")
        self._settings.RATE_LIMITS = off | {name: rate}


# --- Counting ------------------------------------------------------------------------------------


def test_the_limit_lets_as_many_in_as_it_says(limit: Limits) -> None:
    limit("mcp:token", "3/minute")
    for _number in range(3):
        admit(Count("mcp:token", "one"))

    with pytest.raises(TooManyError) as caught:
        admit(Count("mcp:token", "one"))

    assert 1 <= caught.value.retry_after <= 60
    assert "Try again in" in caught.value.sentence


def test_somebody_else_has_a_window_of_their_own(limit: Limits) -> None:
    limit("mcp:token", "1/minute")
    admit(Count("mcp:token", "one"))

    admit(Count("mcp:token", "other"))


def test_parallel_requests_do_not_get_a_place_too_many(limit: Limits) -> None:
    limit("mcp:token", "10/minute")

    def is_admitted(_number: int) -> bool:
        try:
            admit(Count("mcp:token", "one"))
        except TooManyError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(is_admitted, range(40)))

    assert sum(outcomes) == 10


def test_all_limits_of_a_call_are_counted_in_one_round_trip() -> None:
    admit(Count("mcp:token", "one"))
    with redis.Redis(unix_socket_path=str(_socket())) as client:
        before = client.info("all")

        admit(Count("mcp:token", "1"), Count("mcp:account", "2"), Count("mcp:network", "3"))

        after = client.info("all")
    assert _evaluated(after) - _evaluated(before) == 3
    # The second one is this test's own question.
    assert after["total_reads_processed"] - before["total_reads_processed"] == 2


def _evaluated(stats: dict[str, dict[str, int]]) -> int:
    return stats.get("cmdstat_evalsha", {"calls": 0})["calls"]


def _socket() -> Path:
    from django.conf import settings  # noqa: PLC0415

    return Path(settings.FOLDER.valkey_socket)


def test_a_limit_that_is_off_counts_nothing(limit: Limits) -> None:
    limit("mcp:token", "")

    for _number in range(5):
        admit(Count("mcp:token", "one"))

    assert "keys=" not in VALKEY.ask("INFO keyspace")


def test_nobody_can_be_read_in_the_keys_of_valkey() -> None:
    secret = "brain_" + "x" * 43
    admit(Count("mcp:token", secret))
    count_against("5/minute", "request:email", "ana@example.org")

    client = redis.Redis(unix_socket_path=str(_socket()), db=3)
    keys = " ".join(str(key) for key in client.keys("*"))
    client.close()

    assert keys.count("LIMITS") == 2
    assert secret not in keys
    assert "ana" not in keys


def test_a_restarted_valkey_learns_the_script_again(limit: Limits) -> None:
    limit("mcp:token", "2/minute")
    admit(Count("mcp:token", "one"))
    VALKEY.ask("SCRIPT FLUSH")

    admit(Count("mcp:token", "one"))

    with pytest.raises(TooManyError):
        admit(Count("mcp:token", "one"))


# --- While Valkey is away ------------------------------------------------------------------------


@pytest.fixture
def no_valkey(settings: LazySettings, tmp_path: Path) -> None:
    settings.RATE_LIMIT_URL = f"redis+unix://{tmp_path}/nobody.sock?db=3"


@pytest.mark.usefixtures("no_valkey")
def test_without_valkey_calls_go_on_and_sign_in_stays_shut() -> None:
    admit(Count("mcp:token", "one"))

    with pytest.raises(UnavailableError):
        count_against("5/minute", "request:ip", HERE)


@pytest.mark.usefixtures("no_valkey")
def test_an_outage_is_said_once_and_not_asked_about_with_every_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for _number in range(50):
        admit(Count("mcp:token", "one"))

    assert [record.message for record in caplog.records if "not limited" in record.message] == [
        "Requests are not limited right now: ConnectionError."
    ]


# --- The endpoint of agents ----------------------------------------------------------------------


async def _post(
    http: object, space: Space, body: bytes = b"", **headers: str
) -> tuple[int, dict[str, str], str]:
    answer = await http.post(  # type: ignore[attr-defined]
        f"/mcp/{space.pk}", content=body or rpc("tools/list"), headers=POST_HEADERS | headers
    )
    return answer.status_code, dict(answer.headers), answer.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["mcp:token", "mcp:account", "mcp:network"])
async def test_an_agent_that_runs_wild_is_told_to_wait(name: str, limit: Limits) -> None:
    space = await sync_to_async(make_space)()
    key = await sync_to_async(key_of)(space)
    limit(name)
    async with web(key) as http:
        answers = [await _post(http, space) for _number in range(3)]

    assert [status for status, _headers, _text in answers] == [200, 200, 429]
    assert 1 <= int(answers[2][1]["retry-after"]) <= 60
    assert "Try again in" in json.loads(answers[2][2])["error"]["message"]


@pytest.mark.django_db(transaction=True)
async def test_the_account_is_counted_over_all_its_tokens(limit: Limits) -> None:
    space = await sync_to_async(make_space)()
    keys = [await sync_to_async(key_of)(space) for _number in range(3)]
    limit("mcp:account")
    statuses = []
    for key in keys:
        async with web(key) as http:
            statuses.append((await _post(http, space))[0])

    assert statuses == [200, 200, 429]


@pytest.mark.django_db(transaction=True)
async def test_guessing_tokens_ends_soon_and_hinders_nobody_with_a_good_one(limit: Limits) -> None:
    space = await sync_to_async(make_space)()
    key = await sync_to_async(key_of)(space)
    limit("refused:network")
    statuses = []
    for number in range(3):
        async with web(f"brain_guess{number}") as http:
            statuses.append((await _post(http, space))[0])
    async with web(key) as http:
        good, _headers, _text = await _post(http, space)

    assert statuses == [401, 401, 429]
    assert good == 200


@pytest.mark.django_db(transaction=True)
async def test_a_call_without_a_token_always_learns_how_to_sign_in(limit: Limits) -> None:
    space = await sync_to_async(make_space)()
    limit("refused:network", "1/minute")
    async with web() as http:
        statuses = [(await _post(http, space))[0] for _number in range(3)]

    assert statuses == [401, 401, 401]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("no_valkey")
async def test_agents_go_on_while_valkey_is_away() -> None:
    space = await sync_to_async(make_space)()
    key = await sync_to_async(key_of)(space)
    async with web(key) as http:
        status, _headers, _text = await _post(http, space)

    assert status == 200


@pytest.mark.django_db(transaction=True)
async def test_a_call_that_is_too_large_is_refused_with_a_sentence(settings: LazySettings) -> None:
    space = await sync_to_async(make_space)()
    key = await sync_to_async(key_of)(space)
    async with web(key) as http:
        status, _headers, text = await _post(http, space, b" " * (settings.MCP_MAX_BODY_BYTES + 1))

    assert status == 413
    assert json.loads(text)["error"]["message"] == (
        "The request is larger than 256 kB. Send less at a time."
    )


@pytest.mark.django_db(transaction=True)
async def test_a_call_without_a_length_is_cut_off_too(settings: LazySettings) -> None:
    space = await sync_to_async(make_space)()
    key = await sync_to_async(key_of)(space)

    async def pieces() -> AsyncIterator[bytes]:
        for _number in range(5):
            yield b" " * 100_000

    async with web(key) as http:
        status, _headers, _text = await _post(http, space, pieces())  # type: ignore[arg-type]

    assert status == 413


# --- REST, OAuth, pages --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rest:account", "rest:network"])
def test_the_api_refuses_with_problem_details(signed_in: Client, limit: Limits, name: str) -> None:
    limit(name)

    answers = [signed_in.get("/api/v1/me") for _number in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0
    assert "Try again in" in answers[2].json()["hint"]


def test_the_api_counts_a_key_by_itself(space: Space, client: Client, limit: Limits) -> None:
    keys = [key_of(space, READ) for _number in range(2)]
    limit("rest:token", "1/minute")

    statuses = [
        client.get(
            f"/api/v1/spaces/{space.pk}", headers={"authorization": f"Bearer {key}"}
        ).status_code
        for key in (keys[0], keys[0], keys[1])
    ]

    assert statuses[1] == 429
    assert 429 not in (statuses[0], statuses[2])


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/token", "/revoke", "/register"])
def test_the_authorisation_server_refuses_in_json(client: Client, limit: Limits, path: str) -> None:
    limit("oauth:network")

    answers = [client.post(path) for _number in range(3)]

    assert answers[2].status_code == 429
    assert answers[2].json()["error"] == "temporarily_unavailable"
    assert answers[2]["Access-Control-Allow-Origin"] == "*"
    assert int(answers[2]["Retry-After"]) > 0


@pytest.mark.django_db
def test_the_consent_page_is_limited_too(client: Client, limit: Limits) -> None:
    limit("oauth:network")

    statuses = [client.get("/authorize").status_code for _number in range(3)]

    assert statuses[2] == 429


@pytest.mark.parametrize("name", ["write:account", "write:network"])
def test_writes_of_a_person_are_limited_and_reading_goes_on(
    signed_in: Client, limit: Limits, name: str
) -> None:
    limit(name)

    statuses = [signed_in.post("/spaces/new/", {}).status_code for _number in range(3)]

    assert statuses[2] == 429
    assert signed_in.get("/account/").status_code == 200


def test_registrations_of_a_network_are_limited(db: None, settings: LazySettings) -> None:
    settings.OAUTH_REGISTRATION_LIMIT = "1/hour"
    registered()

    answer = Client().post("/register", b"{}", content_type="application/json")

    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0


# --- Bodies --------------------------------------------------------------------------------------


async def _sent(
    path: str, *, chunks: int, size: int, headers: list[tuple[bytes, bytes]]
) -> tuple[int, dict[bytes, bytes], bytes]:
    """Send a body in pieces to the ASGI application and return its answer."""
    left = chunks
    out: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        nonlocal left
        if left:
            left -= 1
            return {"type": "http.request", "body": b"x" * size, "more_body": left > 0}
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, object]) -> None:
        out.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8000"), *headers],
        "client": (HERE, 1),
        "server": ("127.0.0.1", 8000),
    }
    await application(scope, receive, send)
    start, *rest = out
    body = b"".join(bytes(each.get("body", b"")) for each in rest)  # type: ignore[call-overload]
    return int(str(start["status"])), dict(start["headers"]), body  # type: ignore[call-overload]


LONG = [(b"content-length", b"3000000")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", [LONG, []], ids=["announced", "in-chunks"])
@pytest.mark.parametrize(
    ("path", "form"),
    [("/sign-in/", "page"), ("/api/v1/me", "problem"), ("/token", "oauth"), ("/register", "oauth")],
)
async def test_no_door_takes_a_body_without_an_end(
    path: str, form: str, headers: list[tuple[bytes, bytes]]
) -> None:
    status, answered, body = await _sent(path, chunks=30, size=100_000, headers=headers)

    assert status == 413
    assert b"The request is larger than 1024 kB" in body
    kind = answered[b"Content-Type"].decode()
    assert kind.startswith(
        {"page": "text/html", "problem": "application/problem+json", "oauth": "application/json"}[
            form
        ]
    )


@pytest.mark.django_db(transaction=True)
async def test_a_view_that_takes_uploads_names_its_own_limit() -> None:
    from accounts.views import signing_in  # noqa: PLC0415

    takes_up_to(lambda: 3_000_000)(signing_in.sign_in)
    try:
        taken, _headers, _body = await _sent("/sign-in/", chunks=20, size=100_000, headers=[])
        refused, _headers, _body = await _sent("/sign-in/", chunks=40, size=100_000, headers=[])
    finally:
        del signing_in.sign_in.body_limit  # type: ignore[attr-defined]

    # What is no form is refused for that, not for its size.
    assert taken == 403
    assert refused == 413


# --- Whose request it is -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trusted", "forwarded", "counted"),
    [
        ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1,10.0.0.0/8", "203.0.113.9, 10.1.2.3", "203.0.113.9"),
        ("192.0.2.1", "203.0.113.9", "127.0.0.1"),
    ],
    ids=["proxy", "made-up-first", "two-proxies", "no-proxy-of-ours"],
)
async def test_behind_a_proxy_the_caller_is_counted_and_nobody_can_make_one_up(
    trusted: str, forwarded: str, counted: str
) -> None:
    seen: list[str] = []

    async def remember(scope: dict[str, tuple[str, int]], _receive: object, _send: object) -> None:
        seen.append(network_of(scope["client"][0]))

    # As brain/embedded/commands.py starts the server.
    config = uvicorn.Config(remember, proxy_headers=True, forwarded_allow_ips=trusted)
    config.load()
    server = config.loaded_app
    assert isinstance(server, ProxyHeadersMiddleware)
    scope = {
        "type": "http",
        "scheme": "http",
        "client": ("127.0.0.1", 4000),
        "headers": [(b"x-forwarded-for", forwarded.encode())],
    }
    await server(scope, None, None)  # type: ignore[arg-type]

    assert seen == [counted]


def test_whoever_has_an_ipv6_network_is_one_caller() -> None:
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9")
    assert network_of("2001:db8:1:2::1") != network_of("2001:db8:1:3::1")
    assert network_of("::ffff:203.0.113.9") == network_of("203.0.113.9")


def test_signing_in_counts_as_it_did(client: Client, user: User, settings: LazySettings) -> None:
    settings.SIGN_IN_LIMITS = {"request:ip": "1/minute"}
    client.post("/sign-in/", {"email": user.email})

    answer = client.post("/sign-in/", {"email": user.email})

    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
