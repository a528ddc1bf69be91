"""The page of the REST API, and its errors."""

import re

import pytest
from django.test import Client


def test_the_page_shows_every_operation_of_the_schema(client: Client, db: None) -> None:
    schema = client.get("/api/v1/openapi.json").json()

    page = client.get("/api/v1/docs").content.decode()

    operations = [
        (method.upper(), path) for path, methods in schema["paths"].items() for method in methods
    ]
    shown = re.findall(r"(\w+) <code>(/api/v1/[^<]*)</code>", page)
    assert shown == operations
    assert len(operations) > 10


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/spaces/x/y"])
def test_an_address_that_is_none_says_so(client: Client, db: None, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_refusal_is_problem_details_without_what_was_sent(client: Client, db: None) -> None:
    answer = client.get("/api/v1/me", headers={"authorization": "Bearer brain_nothing"})

    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["type"] == "urn:agents-brain:problem:unauthorised"
    assert "nothing" not in answer.content.decode()


def test_a_session_writes_only_with_the_token_against_forgery(user: object) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user)  # type: ignore[arg-type]

    answer = browser.post(
        "/api/v1/spaces/00000000-0000-0000-0000-000000000000/memories",
        "{}",
        content_type="application/json",
    )

    assert answer.status_code == 403
    assert answer["Content-Type"] == "application/problem+json"
