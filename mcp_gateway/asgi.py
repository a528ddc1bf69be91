"""The MCP endpoint: POST /mcp/<space-id>, a small ASGI application beside Django's handler.

Django's own request handling is not run here, so what it would do is done here: the check of
the Host header, the caching and sniffing headers, and no cookies at all.
"""

import dataclasses
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from mcp import types as mcp_types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from accounts.http import network_of
from brain.lib.errors import DomainError, TooLargeError, TooManyError
from mcp_gateway.adapter import in_thread
from mcp_gateway.admission import admitted
from mcp_gateway.context import Caller, instance_of
from mcp_gateway.oauth.bearer import BearerError
from mcp_gateway.oauth.challenges import challenge, refusal_body
from mcp_gateway.server import build_server

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_ALLOWED = b"POST, OPTIONS"
_REQUEST_HEADERS = (
    b"authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, "
    b"last-event-id, x-agent-instance-id"
)
# No cookies are read, so any page may call with a token that it holds (Fetch, CORS protocol).
_ALWAYS: Headers = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"WWW-Authenticate, MCP-Protocol-Version, Mcp-Session-Id"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


class MCPEndpoint:
    """Streamable HTTP without sessions: any instance answers any call."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        space_id: UUID = scope["url_route"]["kwargs"]["space_id"]
        # RFC 9110, 5.5: white space around a field value is not part of it.
        scope = {**scope, "headers": [(name, value.strip()) for name, value in scope["headers"]]}
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if not _is_our_host(headers.get(b"host", "")):
            await _answer(send, 421)
        elif not _is_allowed_origin(headers.get(b"origin", "")):
            await _answer(send, 403)
        elif scope["method"] == "OPTIONS":
            await _answer_preflight(send)
        else:
            await _answer_caller(space_id, headers, scope, receive, send)


async def _answer_caller(
    space_id: UUID, headers: dict[bytes, str], scope: Message, receive: Receive, send: Send
) -> None:
    # The token comes before the method: a client that probes with GET learns how to sign in.
    try:
        caller = await _caller(headers, space_id, network=network_of((scope["client"] or [""])[0]))
    except BearerError as error:
        await _answer_unauthorised(send, space_id, error.description)
        return
    except TooManyError as error:
        await _answer_refused(send, 429, error, [(b"retry-after", str(error.retry_after).encode())])
        return
    if _is_too_large(headers):
        await _answer_refused(send, 413, _too_large())
    elif scope["method"] == "POST":
        await _serve(caller, scope, receive, send)
    else:
        await _answer(send, 405, [(b"allow", _ALLOWED)])


async def _caller(headers: dict[bytes, str], space_id: UUID, *, network: str) -> Caller:
    scheme, _, token = headers.get(b"authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise BearerError("")
    caller = await in_thread(admitted, token.strip(), space_id, network=network)
    instance = instance_of(headers.get(b"x-agent-instance-id", ""))
    actor = dataclasses.replace(caller.actor, agent_instance=instance)
    return dataclasses.replace(caller, actor=actor)


async def _serve(caller: Caller, scope: Message, receive: Receive, send: Send) -> None:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *_ALWAYS]}
        await send(message)

    manager = StreamableHTTPSessionManager(
        app=build_server(caller),
        stateless=True,
        json_response=True,
        max_request_body_size=settings.MCP_MAX_BODY_BYTES,
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send_with_headers)


def _is_our_host(host: str) -> bool:
    """Refuse names that are not ours: a rebinding page reaches us under its own name."""
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _is_allowed_origin(origin: str) -> bool:
    """Let in programs (no Origin), our own pages, loopback pages, and those the operator listed."""
    allowed = settings.MCP_ALLOWED_ORIGINS
    if not origin or origin == settings.PUBLIC_URL or origin in allowed or "*" in allowed:
        return True
    try:
        return urlsplit(origin).hostname in _LOOPBACK
    except ValueError:
        return False


async def _answer_preflight(send: Send) -> None:
    await _answer(
        send,
        204,
        [
            (b"access-control-allow-methods", _ALLOWED),
            (b"access-control-allow-headers", _REQUEST_HEADERS),
            (b"access-control-max-age", b"86400"),
        ],
    )


async def _answer_unauthorised(send: Send, space_id: UUID, description: str) -> None:
    value = challenge(space_id, description=description)
    headers = [(b"www-authenticate", value.encode()), (b"content-type", b"application/json")]
    await _answer(send, 401, headers, refusal_body(description=description))


def _is_too_large(headers: dict[bytes, str]) -> bool:
    """Tell before anything is read; what comes without a length is cut off while it is read."""
    length = headers.get(b"content-length", "")
    return length.isdecimal() and int(length) > settings.MCP_MAX_BODY_BYTES


def _too_large() -> TooLargeError:
    kilobytes = settings.MCP_MAX_BODY_BYTES // 1024
    return TooLargeError(f"The request is larger than {kilobytes} kB.", hint="Send less at a time.")


async def _answer_refused(
    send: Send, status: int, error: DomainError, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Answer as JSON-RPC: clients show its message."""
    said = {"code": mcp_types.INVALID_REQUEST, "message": error.sentence}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": said}).encode()
    await _answer(send, status, [(b"content-type", b"application/json"), *headers], body)


async def _answer(
    send: Send, status: int, headers: Iterable[tuple[bytes, bytes]] = (), body: bytes = b""
) -> None:
    length = (b"content-length", str(len(body)).encode())
    start = {
        "type": "http.response.start",
        "status": status,
        "headers": [*_ALWAYS, length, *headers],
    }
    await send(start)
    await send({"type": "http.response.body", "body": body})
