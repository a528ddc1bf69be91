"""A person, a space and an app that meet the parts of a deployment one by one."""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from tests.faults.deployment import Deployment
from tests.journeys.person import CALLBACK, Person
from tests.journeys.product import Product
from tests.mcp_gateway.clients import POST_HEADERS, rpc

PROXY = -1


class NotProvedError(Exception):
    """Something does not hold; the sentence says what."""


def need(condition: object, otherwise: str) -> None:
    """Go on only if the condition holds."""
    if not condition:
        raise NotProvedError(otherwise)


class Door(Product):
    """One of the addresses of a deployment, as a product that a person can visit."""

    def __init__(self, deployment: Deployment, number: int) -> None:
        port = deployment.proxy_port if number == PROXY else deployment.ports[number]
        process: Popen[bytes] = deployment.children["web0"].process
        super().__init__(Path(deployment.root), port, deployment.root / "web0.log", process)
        self.deployment = deployment

    def output(self) -> str:
        """Return what all web servers printed: any of them may send the mail."""
        numbers = range(self.deployment.plan.webs)
        return "".join(self.deployment.log(f"web{number}") for number in numbers)


@dataclass
class Scene:
    """A signed-in person with a space, and later an app that she let in.

    A web server is named by its number, the proxy by PROXY.
    """

    deployment: Deployment
    email: str
    people: dict[int, Person] = field(default_factory=dict)
    space_id: str = ""
    space_url: str = ""
    client_id: str = ""
    tokens: dict[str, str] = field(default_factory=dict)

    def url(self, number: int) -> str:
        return self.deployment.public_url if number == PROXY else self.deployment.url(number)

    def sign_in(self, *, at: int) -> None:
        self.at(at).sign_in()

    def at(self, number: int) -> Person:
        """Return the person in front of this address, with the cookies of the one she was at first.

        Cookies know no port, so a browser would send them as well.
        """
        if number not in self.people:
            person = Person(Door(self.deployment, number), self.email)
            first = next(iter(self.people.values()), person)
            person.browser.cookies = first.browser.cookies
            self.people[number] = person
        return self.people[number]

    def cookie(self) -> str:
        first = next(iter(self.people.values()))
        return "; ".join(f"{name}={value}" for name, value in first.browser.cookies.items())

    def close(self) -> None:
        for person in self.people.values():
            person.browser.close()

    def mcp(self, number: int) -> str:
        return f"{self.url(number)}/mcp/{self.space_id}"

    def register(self, *, at: int) -> None:
        asked = {
            "client_name": "Travelling app",
            "redirect_uris": [CALLBACK],
            "token_endpoint_auth_method": "none",
        }
        answer = httpx.post(f"{self.url(at)}/register", json=asked, timeout=30)
        need(answer.status_code == httpx.codes.CREATED, f"The app can't register: {answer.text}")
        self.client_id = answer.json()["client_id"]

    def consent(self, *, at: int) -> tuple[str, str]:
        """Let the app in, and return the code that it is sent with its verifier."""
        verifier = secrets.token_urlsafe(40)
        digest = hashlib.sha256(verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": CALLBACK,
            "resource": self.space_url,
            "scope": "auth:read auth:write",
            "state": "same",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        person = self.at(at)
        page = person.open(f"{self.url(at)}/authorize?{urlencode(asked)}")
        need("Travelling app" in page.text, "The consent page does not name the app.")
        person.submit(page, allow="yes", access="write")
        query = parse_qs(urlsplit(person.sent_back_to).query)
        need("code" in query, f"The app got no code: {person.sent_back_to}")
        return query["code"][0], verifier

    def exchange(self, code: str, verifier: str, *, at: int) -> None:
        self._get_tokens(
            at, grant_type="authorization_code", code=code, redirect_uri=CALLBACK,
            code_verifier=verifier,
        )  # fmt: skip

    def refresh(self, *, at: int) -> None:
        self._get_tokens(at, grant_type="refresh_token", refresh_token=self.tokens["refresh_token"])

    def _get_tokens(self, at: int, **body: str) -> None:
        sent = body | {"client_id": self.client_id, "resource": self.space_url}
        answer = httpx.post(f"{self.url(at)}/token", data=sent, timeout=30)
        need(answer.status_code == httpx.codes.OK, f"No token is given: {answer.text}")
        self.tokens = answer.json()

    def headers(self, token: str = "") -> dict[str, str]:
        bearer = token or self.tokens["access_token"]
        return POST_HEADERS | {"authorization": f"Bearer {bearer}"}

    def call(self, number: int, tool: str, **arguments: object) -> dict[str, object]:
        """Call a tool with the app's token and return its structured result."""
        answer = httpx.post(
            self.mcp(number), content=rpc("tools/call", name=tool, arguments=arguments),
            headers=self.headers(), timeout=60,
        )  # fmt: skip
        need(answer.status_code == httpx.codes.OK, f"{tool} is answered with {answer.status_code}.")
        result = answer.json()["result"]
        need(not result.get("isError"), f"{tool} is refused: {result['content'][0]['text']}")
        found: dict[str, object] = result["structuredContent"]
        return found
