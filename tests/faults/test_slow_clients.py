"""Clients that send slowly, never finish, or never read, and what everybody else notices."""

import contextlib
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.journeys.product import Product
from tests.mcp_gateway.clients import POST_HEADERS, rpc
from tests.tally import Tally

pytestmark = pytest.mark.product

CONNECTIONS = 200
STARTS = {
    "half a request line": b"POST /mc",
    "headers without an end": b"POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b\r\n",
    "a body that never comes": (
        b"POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\na=1"
    ),
    "a page that nobody reads": b"GET /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 50,
    "an upgrade that stops": (
        b"GET /live/00000000-0000-0000-0000-000000000000 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    ),
    "nothing": b"",
}


@contextmanager
def open_connections(product: Product, start: bytes) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        clients = []
        for _ in range(CONNECTIONS):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", product.port)))
            client.sendall(start)
            clients.append(client)
        yield clients


@pytest.fixture(scope="module")
def agent(product: Product) -> tuple[str, dict[str, str]]:
    space = product.manage("create_space", "slow@example.org", "Slow clients")
    scopes = ("--scope", "auth:read", "--scope", "auth:write")
    key = product.manage("create_api_key", space["id"], *scopes)["key"]
    return space["url"], POST_HEADERS | {"authorization": f"Bearer {key}"}


@pytest.mark.parametrize("what", STARTS)
def test_two_hundred_slow_clients_hold_up_nobody(
    product: Product, agent: tuple[str, dict[str, str]], what: str, runs: Tally
) -> None:
    url, headers = agent
    sent = {"content": f"Saved beside {what}.", "kind": "observation", "path": "Slow"}

    with open_connections(product, STARTS[what]) as clients:
        for client in clients[:50]:
            with contextlib.suppress(OSError):
                client.sendall(b"x")
        began = time.monotonic()
        saved = httpx.post(
            url, headers=headers, content=rpc("tools/call", name="save", arguments=sent), timeout=30
        )
        page = httpx.get(f"{product.url}/sign-in/", timeout=30)
        took = time.monotonic() - began
    runs.add()
    runs.add(1, "acknowledged writes")

    assert saved.json()["result"]["structuredContent"]["outcome"] in {"created", "refreshed"}
    assert page.status_code == 200
    # Generous: the machine of a test is busy. A blocked server would take the whole 30.
    assert took < 15
