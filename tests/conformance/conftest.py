"""The started product, a space with the fixtures beside it, and both behind a bearer token."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest
from django.conf import settings

from tests.conformance.proxy import with_bearer
from tests.journeys.person import Person
from tests.journeys.product import Product, environment, free_port

EMAIL = "conformance@example.org"


@dataclass(frozen=True, slots=True)
class Target:
    """An address that the suite can call without a token of its own."""

    url: str


@dataclass(frozen=True, slots=True)
class Space:
    id: str
    url: str
    key: str


@pytest.fixture(scope="session")
def person(product: Product) -> Iterator[Person]:
    someone = Person(product, EMAIL)
    someone.sign_in()
    yield someone
    someone.browser.close()


@pytest.fixture(scope="session")
def suite_space(product: Product, person: Person) -> Space:
    """Return the space that the suite is let into."""
    made = product.manage("create_space", EMAIL, "Conformance")
    scopes = ["--scope", "auth:read", "--scope", "auth:write"]
    key = product.manage("create_api_key", made["id"], *scopes)["key"]
    return Space(made["id"], made["url"], key)


@pytest.fixture(scope="session")
def plain(product: Product, suite_space: Space) -> Iterator[Target]:
    """Return the product as it is."""
    with with_bearer(product.port, suite_space.key) as port:
        yield Target(f"http://127.0.0.1:{port}/mcp/{suite_space.id}")


@pytest.fixture(scope="session")
def with_fixtures(product: Product, suite_space: Space) -> Iterator[Target]:
    """Return a web process on the product's database that has the fixtures in this one space."""
    port = free_port()
    variables = {
        "DJANGO_SETTINGS_MODULE": "tests.conformance.settings",
        "CONFORMANCE_SPACE": suite_space.id,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "tests.conformance.application:application",
         "--host=127.0.0.1", f"--port={port}", "--log-level=warning", "--no-access-log"],
        cwd=settings.BASE_DIR,
        env=environment(product.root, product.port) | variables,
    )  # fmt: skip
    try:
        _wait_for(process, port)
        with with_bearer(port, suite_space.key) as front:
            yield Target(f"http://127.0.0.1:{front}/mcp/{suite_space.id}")
    finally:
        process.terminate()
        process.wait(30)


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    transport = httpx.HTTPTransport(retries=8)
    with httpx.Client(transport=transport, timeout=60) as client:
        while process.poll() is None:
            try:
                client.get(f"http://127.0.0.1:{port}/healthz")
            except httpx.ConnectError:
                continue
            return
    raise AssertionError("The web process with the fixtures did not start.")
