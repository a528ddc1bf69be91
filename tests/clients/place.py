"""The space that a client connects to, and what its owner can do to the client's access."""

import html
import re
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb

from brain.embedded.folder import DataFolder
from tests.journeys.person import Person
from tests.journeys.product import Product
from tests.mcp_gateway.clients import POST_HEADERS, rpc


@dataclass(frozen=True, slots=True)
class Place:
    """One space of the started product, with its owner in front of a browser."""

    product: Product
    person: Person
    id: str
    name: str
    url: str

    def key(self, *scopes: str) -> str:
        """Make an API key on the page of keys; for both scopes unless some are named."""
        access = "write" if "auth:write" in (scopes or ("auth:write",)) else "read"
        keys = self._page(f"/spaces/{self.id}/keys/")
        made = self.person.submit(keys, label="Script", access=access, days="30")
        shown = re.search(r'id="new-key"[^>]*>([^<]+)<', made.text)
        assert shown is not None, made.text
        return html.unescape(shown[1]).strip()

    def call(self, tool: str, *, key: str, **arguments: object) -> dict[str, Any]:
        """Call a tool as a script would, and return the structured result."""
        body = rpc("tools/call", name=tool, arguments=arguments)
        headers = POST_HEADERS | {"authorization": f"Bearer {key}"}
        result = httpx.post(self.url, content=body, headers=headers, timeout=30).json()["result"]
        assert not result.get("isError"), result
        return dict(result["structuredContent"])

    def snippet(self, app: str, element: str) -> str:
        """Return what the page "Connect" gives the person to copy for the app."""
        page = self._page(f"/spaces/{self.id}/connect/?app={app}")
        shown = re.search(rf'<code id="{element}">(.*?)</code>', page.text, re.DOTALL)
        assert shown is not None, f"The page has no {element}."
        return html.unescape(shown[1])

    def expire_access(self) -> None:
        """Let an hour pass for the access tokens of this space; refresh tokens stay good."""
        with self._database() as database:
            late = "update oauth2_provider_accesstoken set expires = now() - interval '1 second'"
            assert database.execute(f"{late} where resource = %s", [self._resource]).rowcount

    def access_tokens(self) -> int:
        """Return how many access tokens of this space have not run out."""
        with self._database() as database:
            good = "select from oauth2_provider_accesstoken where expires > now()"
            return database.execute(f"{good} and resource = %s", [self._resource]).rowcount

    def disconnect(self) -> None:
        """Take every app's access away, with the buttons of the dashboard."""
        self._press_all("/account/apps/", rf"{self.id}/\d+/disconnect/")

    def revoke_keys(self) -> None:
        """Revoke every API key of the space, with the buttons of the dashboard."""
        keys = f"/spaces/{self.id}/keys/"
        self._press_all(keys, rf"{keys}[0-9a-f-]+/revoke/")

    def _press_all(self, path: str, action: str) -> None:
        page = self._page(path)
        actions = re.findall(rf'action="([^"]*{action})"', page.text)
        assert actions, f"Nothing on {path} can be taken away."
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token is not None
        for each in actions:
            answer = self.person.browser.post(
                each,
                data={"csrfmiddlewaretoken": token[1]},
                headers={"referer": str(page.url), "origin": self.product.url},
            )
            assert answer.is_redirect

    @property
    def _resource(self) -> Jsonb:
        return Jsonb([self.url])

    def _database(self) -> "psycopg.Connection[TupleRow]":
        """Open the product's own database, as the product does."""
        folder = DataFolder(self.product.root)
        return psycopg.connect(
            host=str(folder.run),
            dbname="brain",
            user="brain_app",
            password=folder.credentials().brain_app,
        )

    def _page(self, path: str) -> httpx.Response:
        page = self.person.open(path)
        if "/sign-in" in str(page.url):
            self.person.sign_in()
            page = self.person.open(path)
        return page
