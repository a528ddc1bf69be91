"""The door itself: who is let in, with which method, from where, with which body."""

import logging
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.test import Client as Browser

from memories.models import Memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.clients import POST_HEADERS, key_of, rpc, web

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def space() -> Space:
    return make_space()


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PUT"])
async def test_without_a_token_every_method_is_told_where_to_sign_in(
    space: Space, method: str
) -> None:
    async with web() as http:
        response = await http.request(method, space.mcp_url)

    assert response.status_code == 401
    header = response.headers["www-authenticate"]
    assert header.startswith("Bearer ")
    metadata = f"http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp/{space.pk}"
    assert f'resource_metadata="{metadata}"' in header
    assert 'scope="auth:read auth:write"' in header
    assert "error=" not in header


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_with_a_token_other_methods_than_post_are_answered_at_once(
    space: Space, method: str
) -> None:
    key = await sync_to_async(key_of)(space)

    async with web(key) as http:
        response = await http.request(method, space.mcp_url)

    assert response.status_code == 405
    assert response.headers["allow"] == "POST, OPTIONS"


async def test_a_key_of_another_space_gets_the_challenge_of_this_one(space: Space) -> None:
    key = await sync_to_async(lambda: key_of(make_space(owner=space.owner)))()

    async with web(key) as http:
        response = await http.post(space.mcp_url, content=rpc("tools/list"), headers=POST_HEADERS)

    assert response.status_code == 401
    assert 'error="invalid_token"' in response.headers["www-authenticate"]
    assert f"/mcp/{space.pk}" in response.headers["www-authenticate"]


async def test_a_foreign_space_and_no_space_are_answered_alike(space: Space) -> None:
    foreign = await sync_to_async(make_space)()
    key = await sync_to_async(key_of)(space)
    nowhere = f"http://127.0.0.1:8000/mcp/{uuid.uuid4()}"

    async with web(key) as http:
        answers = [
            await http.post(url, content=rpc("tools/list"), headers=POST_HEADERS)
            for url in (foreign.mcp_url, nowhere)
        ]

    first, second = (
        (answer.status_code, answer.content, answer.headers["www-authenticate"][:100])
        for answer in answers
    )
    assert first == second
    assert first[0] == 401


async def test_a_dashboard_session_is_no_token(space: Space) -> None:
    browser = Browser()
    await sync_to_async(browser.force_login)(space.owner)
    cookie = f"brain_session={browser.cookies['brain_session'].value}"

    async with web(cookie=cookie) as http:
        response = await http.post(space.mcp_url, content=rpc("tools/list"), headers=POST_HEADERS)

    assert response.status_code == 401


async def test_the_address_answers_with_and_without_a_slash_and_never_redirects(
    space: Space,
) -> None:
    key = await sync_to_async(key_of)(space)

    async with web(key) as http:
        answers = [
            await http.post(url, content=rpc("tools/list"), headers=POST_HEADERS)
            for url in (space.mcp_url, f"{space.mcp_url}/")
        ]

    assert [answer.status_code for answer in answers] == [200, 200]


async def test_an_id_that_cannot_be_one_is_not_found() -> None:
    async with web() as http:
        response = await http.post("/mcp/not-an-id", content=rpc("tools/list"))

    assert response.status_code == 404


async def test_another_host_name_is_refused_before_anything_else(space: Space) -> None:
    key = await sync_to_async(key_of)(space)

    async with web(key, host="rebound.example") as http:
        response = await http.post(space.mcp_url, content=rpc("tools/list"))

    assert response.status_code == 421


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8000", 200),
        ("http://localhost:6274", 200),
        ("https://evil.example", 403),
        ("null", 403),
        ("http://[", 403),
    ],
)
async def test_pages_of_other_origins_are_refused(space: Space, origin: str, status: int) -> None:
    key = await sync_to_async(key_of)(space)

    async with web(key, origin=origin) as http:
        response = await http.post(space.mcp_url, content=rpc("tools/list"), headers=POST_HEADERS)

    assert response.status_code == status


async def test_a_preflight_needs_no_token_and_names_what_may_be_sent(space: Space) -> None:
    async with web(origin="http://localhost:6274") as http:
        response = await http.options(space.mcp_url)

    assert response.status_code == 204
    allowed = response.headers["access-control-allow-headers"]
    for header in ("authorization", "mcp-protocol-version", "mcp-method", "mcp-name"):
        assert header in allowed


async def test_every_answer_may_be_read_by_a_page_and_is_never_cached(space: Space) -> None:
    key = await sync_to_async(key_of)(space)

    async with web(key) as http:
        answers = [
            await http.get(space.mcp_url),
            await http.post(space.mcp_url, content=rpc("tools/list"), headers=POST_HEADERS),
        ]
    async with web() as http:
        answers.append(await http.get(space.mcp_url))

    for answer in answers:
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "WWW-Authenticate" in answer.headers["access-control-expose-headers"]
        assert answer.headers["cache-control"].startswith("no-store")
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b"[1, 2]",
        b'{"jsonrpc": "1.0"}',
        b"0" * 90,
    ],
)
async def test_what_is_no_request_gets_a_clear_error(space: Space, body: bytes) -> None:
    key = await sync_to_async(key_of)(space)

    async with web(key) as http:
        response = await http.post(space.mcp_url, content=body, headers=POST_HEADERS)

    assert response.status_code == 400
    assert "error" in response.json()


async def test_a_body_of_five_megabytes_is_refused_unread(
    space: Space, caplog: pytest.LogCaptureFixture
) -> None:
    key = await sync_to_async(key_of)(space)
    content = "sensitive " * 500_000
    body = rpc("tools/call", name="save", arguments={"content": content, "kind": "decision"})

    with caplog.at_level(logging.INFO):
        async with web(key) as http:
            response = await http.post(space.mcp_url, content=body, headers=POST_HEADERS)

    assert response.status_code == 413
    assert "sensitive" not in caplog.text

    def count() -> int:
        with inside(space):
            return Memory.objects.count()

    assert await sync_to_async(count)() == 0


@pytest.mark.parametrize("value", ["", "Bearer", "Bearer ", "Basic abc", "bearer\x00x", "Bearer é"])
async def test_a_malformed_authorization_header_is_no_token(space: Space, value: str) -> None:
    headers = {name.encode(): text.encode() for name, text in POST_HEADERS.items()}
    headers[b"authorization"] = value.encode("latin-1")
    async with web() as http:
        response = await http.post(space.mcp_url, content=rpc("tools/list"), headers=headers)

    assert response.status_code == 401
