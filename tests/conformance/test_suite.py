"""The official conformance suite against the product; `make conformance`."""

import re
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.conformance import suite
from tests.conformance.conftest import Space, Target
from tests.conformance.report import keep
from tests.journeys.person import Person
from tests.journeys.product import Product, free_port

pytestmark = pytest.mark.clients
HERE = Path(__file__).parent
# What needs nothing but what the product has; see the reasons in the lists of failures.
PLAIN = {
    "2025-11-25": [
        "server-initialize", "server-session-lifecycle", "ping", "completion-complete",
        "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection",
    ],
    "2026-07-28": [
        "server-stateless", "completion-complete", "tools-list", "server-sse-multiple-streams",
        "resources-list", "sep-2164-resource-not-found", "prompts-list",
        "dns-rebinding-protection", "caching", "http-header-validation",
        "input-required-result-unsupported-methods",
    ],
}  # fmt: skip


@pytest.mark.parametrize("revision", suite.REVISIONS)
def test_every_scenario_that_a_revision_requires(
    with_fixtures: Target, tmp_path: Path, revision: str
) -> None:
    found = suite.run(
        "server", "--url", with_fixtures.url, "--requirements", revision,
        "--expected-failures", str(HERE / f"known_failures_{revision}.yml"),
        into=tmp_path / "out",
    )  # fmt: skip

    keep(f"required {revision}", found)
    assert found.code == 0, found.printed


@pytest.mark.parametrize("revision", suite.REVISIONS)
def test_the_product_as_it_is(plain: Target, tmp_path: Path, revision: str) -> None:
    for name in PLAIN[revision]:
        found = suite.run(
            "server", "--url", plain.url, "--scenario", name, "--spec-version", revision,
            "--expected-failures", str(HERE / "known_failures_plain.yml"),
            into=tmp_path / name,
        )  # fmt: skip

        keep(f"plain {revision}", found)
        assert found.code == 0, found.printed


def test_the_authorization_server(
    product: Product, person: Person, suite_space: Space, tmp_path: Path
) -> None:
    port = free_port()
    redirect = f"http://127.0.0.1:{port}/callback"
    client = {
        "client_name": "Suite",
        "redirect_uris": [redirect],
        "token_endpoint_auth_method": "none",
    }
    registered = httpx.post(f"{product.url}/register", json=client).json()

    with subprocess.Popen(
        suite.command(
            "authorization", "--url", product.url, "--client-id", registered["client_id"],
            "--resource", suite_space.url, "--port", str(port), "-o", str(tmp_path / "out"),
        ),
        env=suite.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        printed = ""
        for line in running.stdout:
            printed += line
            if address := re.search(rf"{product.url}/authorize\?\S+", line):
                _allow(person, address[0])
    code = running.returncode

    keep("authorization", suite.Run(code, printed, suite.counted(tmp_path / "out")))
    assert code == 0, printed


def _allow(person: Person, address: str) -> None:
    person.submit(person.open(address), allow="yes", access="write")
    httpx.get(person.sent_back_to, timeout=30)
