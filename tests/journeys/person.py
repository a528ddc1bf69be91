"""A person in front of a browser: signs in with the code from the terminal, allows an app."""

import html
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx
from mcp.client.auth import AuthorizationCodeResult

from tests.journeys.product import Product

CALLBACK = "http://localhost:43111/callback"


@dataclass
class Person:
    """Holds cookies, follows redirects inside the product, and fills in forms."""

    product: Product
    email: str
    access: str = "write"
    sent_back_to: str = ""
    browser: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.browser = httpx.Client(base_url=self.product.url, timeout=30)

    def sign_in(self) -> httpx.Response:
        return self._sign_in_from(self.open("/sign-in/"))

    def open(self, url: str) -> httpx.Response:
        """Open a page and follow redirects, but only within the product."""
        return self._followed(self.browser.get(url))

    def submit(self, page: httpx.Response, **values: str) -> httpx.Response:
        """Send the form of the page that has these fields, with everything hidden in it."""
        forms = re.finditer(r'<form[^>]*method="post"[^>]*>(.*?)</form>', page.text, re.DOTALL)
        form = next(form for form in forms if all(f'name="{name}"' in form[1] for name in values))
        action = re.search(r'action="([^"]*)"', form[0].partition(">")[0])
        target = html.unescape(action[1]) if action and action[1] else str(page.url)
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1]))
        sent = {html.unescape(k): html.unescape(v) for k, v in hidden.items()} | values
        headers = {"referer": str(page.url), "origin": self.product.url}
        return self._followed(
            self.browser.post(urljoin(str(page.url), target), data=sent, headers=headers)
        )

    def _sign_in_from(self, page: httpx.Response) -> httpx.Response:
        asked = self.submit(page, email=self.email)
        return self.submit(asked, code=self.product.code_for(self.email))

    def _followed(self, response: httpx.Response) -> httpx.Response:
        while response.is_redirect:
            target = urljoin(str(response.url), response.headers["location"])
            if not target.startswith(self.product.url):
                self.sent_back_to = target
                return response
            response = self.browser.get(target)
        return response

    async def authorise(self, url: str) -> None:
        """Do what the SDK asks a person to do: sign in if needed, read, and allow."""
        page = self.open(url)
        if urlsplit(str(page.url)).path.startswith("/sign-in"):
            page = self._sign_in_from(page)
        if not self.sent_back_to.startswith(CALLBACK) or "<form" in page.text:
            self.submit(page, allow="yes", access=self.access)

    async def callback(self) -> AuthorizationCodeResult:
        """Return what the app's callback address was called with."""
        query = parse_qs(urlsplit(self.sent_back_to).query)
        self.sent_back_to = ""
        return AuthorizationCodeResult(
            code=query["code"][0], state=query["state"][0], iss=query["iss"][0]
        )
