"""An agent: the official SDK client with its own OAuth, over a real socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.journeys.person import CALLBACK, Person
from tests.mcp_gateway.clients import Era


@dataclass
class Keychain:
    """What an app keeps between conversations: its registration and its tokens."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@dataclass
class Agent:
    """Connects to one address; notes every HTTP exchange as (method, path, status)."""

    url: str
    person: Person
    keychain: Keychain = field(default_factory=Keychain)
    exchanges: list[tuple[str, str, int]] = field(default_factory=list)

    @asynccontextmanager
    async def connected(self, era: Era = "auto") -> AsyncIterator[Client]:
        oauth = OAuthClientProvider(
            server_url=self.url,
            client_metadata=OAuthClientMetadata(
                client_name="Journey agent",
                redirect_uris=[AnyUrl(CALLBACK)],
                token_endpoint_auth_method="none",
            ),
            storage=self.keychain,
            redirect_handler=self.person.authorise,
            callback_handler=self.person.callback,
        )
        async with (
            httpx2.AsyncClient(
                auth=oauth, timeout=30, event_hooks={"response": [self._note]}
            ) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=era) as client,
        ):
            yield client

    async def _note(self, response: httpx2.Response) -> None:
        path = response.request.url.path
        self.exchanges.append((response.request.method, path, response.status_code))

    def refresh_request(self, *, resource: str) -> dict[str, str]:
        """Return what a refresh would send to the token endpoint."""
        assert self.keychain.tokens is not None
        assert self.keychain.client is not None
        return {
            "grant_type": "refresh_token",
            "refresh_token": self.keychain.tokens.refresh_token or "",
            "client_id": self.keychain.client.client_id or "",
            "resource": resource,
        }

    @property
    def access_token(self) -> str:
        assert self.keychain.tokens is not None
        return self.keychain.tokens.access_token
