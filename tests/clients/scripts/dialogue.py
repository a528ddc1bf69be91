"""What the Python programs here have in common; they run in environments of their own.

They take commands from the terminal, one a line, and answer each with one line of JSON: `list`,
`call TOOL {...}`, `hours N` (their clock goes forward), `quit`.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata

Command = Callable[[str, dict], Awaitable[dict]]


def talk(do: Command) -> None:
    """Answer every line until the end; `do` gets the tool ("" to list) and its arguments."""
    asyncio.run(_talk(do))


async def _talk(do: Command) -> None:
    say({})
    while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
        command, _, rest = line.partition(" ")
        if command == "quit":
            return
        if command == "hours":
            _go_forward(float(rest) * 3600)
            say({})
            continue
        tool, _, arguments = rest.partition(" ")
        try:
            say(await do(tool, json.loads(arguments or "{}")))
        except Exception as error:
            say({"error": _sentence(error)})


def say(answer: dict) -> None:
    print("=>", json.dumps(answer), flush=True)


def _sentence(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def _go_forward(seconds: float) -> None:
    clock = time.time
    time.time = lambda: clock() + seconds


class Keychain:
    """What an app keeps between conversations; here for one only."""

    def __init__(self) -> None:
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens) -> None:
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info) -> None:
        self.client = client_info


def oauth(url: str, *, name: str) -> OAuthClientProvider:
    """Return the sign-in of the official SDK, whichever version the environment has."""
    page = HTTPServer(("127.0.0.1", 0), _Page)
    metadata = OAuthClientMetadata(
        client_name=name,
        redirect_uris=[f"http://127.0.0.1:{page.server_port}/callback"],
        token_endpoint_auth_method="none",
    )

    async def redirect(address: str) -> None:
        print(address, flush=True)

    async def callback():
        await asyncio.to_thread(page.handle_request)
        query = {key: values[0] for key, values in parse_qs(_Page.query).items()}
        try:
            from mcp.client.auth import AuthorizationCodeResult
        except ImportError:
            return query["code"], query["state"]
        return AuthorizationCodeResult(**query)

    return OAuthClientProvider(
        server_url=url,
        client_metadata=metadata,
        storage=Keychain(),
        redirect_handler=redirect,
        callback_handler=callback,
    )


class _Page(BaseHTTPRequestHandler):
    query = ""

    def do_GET(self) -> None:
        _Page.query = urlsplit(self.path).query
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Go back to the terminal.")

    def log_message(self, *words) -> None:
        """Say nothing: the terminal is for answers."""
