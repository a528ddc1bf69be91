"""The official MCP client, talking to the real ASGI application without a socket."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx2
from asgiref.sync import sync_to_async
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from brain.asgi import application
from mcp_gateway.scopes import ALL
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from spaces.models import Space
from tests.factories import make_actor

Era = Literal["auto", "legacy"]
ERAS: list[Era] = ["auto", "legacy"]


def key_of(space: Space, *scopes: str) -> str:
    """Make an API key of the space; all scopes unless some are named."""
    details = KeyDetails(scopes=scopes or ALL, label="Test agent")
    return create_api_key(space=space, actor=make_actor(space.owner), details=details).secret


def web(key: str = "", **headers: str) -> httpx2.AsyncClient:
    """Return an HTTP client whose requests end in the ASGI application."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if key:
        sent["authorization"] = f"Bearer {key}"
    transport = httpx2.ASGITransport(app=application)
    return httpx2.AsyncClient(
        transport=transport, headers=sent, base_url="http://127.0.0.1:8000", timeout=30
    )


@asynccontextmanager
async def connected(
    space: Space, *scopes: str, era: Era = "auto", **headers: str
) -> AsyncIterator[Client]:
    """Connect the official client to the space."""
    key = await sync_to_async(key_of)(space, *scopes)
    async with (
        web(key, **headers) as http,
        Client(streamable_http_client(space.mcp_url, http_client=http), mode=era) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool and return its structured result; a refusal fails the test."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return dict(result.structured_content)


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that must refuse, and return its sentence."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def rpc(method: str, **params: Any) -> bytes:
    """Return the body of one JSON-RPC request."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


POST_HEADERS = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-11-25",
}
