"""Mail in the terminal, and on the development page."""

import io

import pytest
from django.core.mail import EmailMessage, get_connection
from pytest_django import Settings

from accounts.mail import recent_mail

BACKEND = "accounts.mail.TerminalBackend"


def message(body: str = "Your code: 123456") -> EmailMessage:
    return EmailMessage("Your sign-in code", body, to=["ana@example.org"])


def test_a_mail_is_printed_between_rules() -> None:
    terminal = io.StringIO()

    sent = get_connection(BACKEND, stream=terminal).send_messages([message()])

    printed = terminal.getvalue()
    assert sent == 1
    assert "MAIL to ana@example.org" in printed
    assert "Your code: 123456" in printed
    assert printed.count("=" * 72) == 3


def test_without_a_stream_the_terminal_gets_it(capfd: pytest.CaptureFixture[str]) -> None:
    get_connection(BACKEND).send_messages([message()])

    assert "Your code: 123456" in capfd.readouterr().out


def test_nothing_is_kept_unless_debug_is_on(settings: Settings) -> None:
    settings.DEBUG = False
    get_connection(BACKEND, stream=io.StringIO()).send_messages([message()])

    settings.DEBUG = True
    assert recent_mail() == []


def test_with_debug_the_last_mails_are_kept_newest_first(settings: Settings) -> None:
    settings.DEBUG = True
    for number in range(25):
        get_connection(BACKEND, stream=io.StringIO()).send_messages([message(f"Mail {number}")])

    kept = recent_mail()
    assert [mail["body"] for mail in kept] == [f"Mail {number}" for number in range(24, 4, -1)]

    settings.DEBUG = False
    assert recent_mail() == []


def test_sending_nothing_says_nothing() -> None:
    terminal = io.StringIO()

    assert get_connection(BACKEND, stream=terminal).send_messages([]) == 0
    assert terminal.getvalue() == ""
