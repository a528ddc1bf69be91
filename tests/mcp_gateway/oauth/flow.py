"""An app that connects, and the person who is asked: driven through the real endpoints."""

import base64
import hashlib
import html
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from django.test import Client

from accounts.models import User
from brain.lib.errors import DomainError
from spaces.models import Space

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

REDIRECT = "http://localhost:7777/callback"


def registration(**changes: object) -> dict[str, object]:
    """Return what a usual program on the person's computer registers with."""
    usual: dict[str, object] = {
        "client_name": "Goose",
        "redirect_uris": [REDIRECT],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    return usual | changes


def register(**changes: object) -> "Answer":
    return Client().post("/register", data=registration(**changes), content_type="application/json")


@dataclass
class App:
    """A registered client; each of its authorisations has a verifier of its own."""

    client_id: str
    redirect: str = REDIRECT
    client_secret: str = ""
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(40))

    def authorize_url(self, **changes: object) -> str:
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest())
        asked: dict[str, object] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "state": "xyz",
            "code_challenge": challenge.rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        asked |= changes
        left = {name: value for name, value in asked.items() if value is not None}
        return "/authorize?" + urlencode(left, doseq=True)

    def token(self, **body: object) -> "Answer":
        sent = {"client_id": self.client_id} | body
        if self.client_secret:
            sent["client_secret"] = self.client_secret
        return Client().post("/token", data=sent)

    def exchange(self, code: str, **more: object) -> "Answer":
        return self.token(
            grant_type="authorization_code",
            code=code,
            redirect_uri=self.redirect,
            code_verifier=self.verifier,
            **more,
        )

    def refresh(self, refresh_token: str, **more: object) -> "Answer":
        return self.token(grant_type="refresh_token", refresh_token=refresh_token, **more)


def registered(redirect: str = REDIRECT, **changes: object) -> App:
    answer = register(**({"redirect_uris": [redirect]} | changes))
    assert answer.status_code == 201, answer.content
    body = answer.json()
    return App(body["client_id"], redirect, body.get("client_secret", ""))


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def hidden_fields(page: "Answer") -> dict[str, str]:
    found = re.findall(
        r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.content.decode()
    )
    return {html.unescape(name): html.unescape(value) for name, value in found}


def consent(browser: Client, url: str, **choices: str) -> "Answer":
    """Open the page and send its form back, as a browser does."""
    page = browser.get(url)
    assert page.status_code == 200, (page.status_code, page.headers)
    sent = hidden_fields(page) | {"allow": "yes"} | choices
    return browser.post(url, data={name: value for name, value in sent.items() if value})


def sent_back(response: "Answer") -> dict[str, str]:
    """Return what the redirect tells the app."""
    assert response.status_code == 302, (response.status_code, response.content[:500])
    query = parse_qs(urlsplit(response["Location"]).query)
    return {name: values[0] for name, values in query.items()}


def connected(app: App, space: Space, **choices: str) -> dict[str, object]:
    """Let the app into the space and return its first tokens."""
    url = app.authorize_url(resource=space.mcp_url)
    back = sent_back(consent(browser_of(space.owner), url, **choices))
    answer = app.exchange(back["code"], resource=space.mcp_url)
    assert answer.status_code == 200, answer.content
    tokens: dict[str, object] = answer.json()
    return tokens


def revoke(app: App, token: object) -> "Answer":
    return Client().post("/revoke", data={"client_id": app.client_id, "token": token})


def answers(outcomes: "Iterable[Answer | DomainError]") -> "list[Answer]":
    """Return the answers of calls that were made at once; none of them fails otherwise."""
    answered = list(outcomes)
    assert not any(isinstance(outcome, DomainError) for outcome in answered)
    return [outcome for outcome in answered if not isinstance(outcome, DomainError)]
