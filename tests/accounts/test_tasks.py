"""What the hourly jobs clear away."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.models import BrowserSession, SignInCode, User
from accounts.services.signing_in import request_code
from accounts.tasks import clear_browser_sessions, clear_sign_in_codes


def test_expired_codes_are_cleared_and_live_ones_stay(
    db: None, mailoutbox: list[EmailMessage]
) -> None:
    for email in ("old@example.org", "new@example.org"):
        request_code(email, ip="192.0.2.1", language="en")
    past = timezone.now() - timedelta(seconds=1)
    SignInCode.objects.filter(email="old@example.org").update(expires_at=past)

    clear_sign_in_codes()
    clear_sign_in_codes()

    assert [row.email for row in SignInCode.objects.all()] == ["new@example.org"]


def test_expired_browsers_are_cleared_and_live_ones_stay(user: User) -> None:
    for _ in range(2):
        Client().force_login(user)
    first = BrowserSession.objects.first()
    assert first is not None
    past = timezone.now() - timedelta(seconds=1)
    BrowserSession.objects.filter(pk=first.pk).update(expire_date=past)

    clear_browser_sessions()

    assert not BrowserSession.objects.filter(pk=first.pk).exists()
    assert BrowserSession.objects.count() == 1


@pytest.mark.parametrize("task", [clear_sign_in_codes, clear_browser_sessions])
def test_nothing_to_clear_is_fine(db: None, task: Callable[[], None]) -> None:
    task()
