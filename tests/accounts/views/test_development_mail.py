"""The mailbox of those who try the product."""

from django.test import Client
from pytest_django import Settings

ADDRESS = "/development/mail/"


def test_without_debug_there_is_no_such_page(client: Client, db: None) -> None:
    assert client.get(ADDRESS).status_code == 404


def test_with_debug_it_shows_the_code_that_was_sent(
    client: Client, db: None, settings: Settings
) -> None:
    settings.DEBUG = True
    settings.EMAIL_BACKEND = "accounts.mail.TerminalBackend"
    client.post("/sign-in/", {"email": "ana@example.org"})

    page = client.get(ADDRESS)

    assert page.status_code == 200
    assert "ana@example.org" in page.text
    assert "10 minutes" in page.text
    assert ADDRESS in client.get("/sign-in/code/").text


def test_an_empty_mailbox_says_what_to_do(client: Client, db: None, settings: Settings) -> None:
    settings.DEBUG = True

    assert "Ask for a code" in client.get(ADDRESS).text
