"""Mail without a mail server: printed in the terminal, and kept for the development page."""

from collections.abc import Sequence

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend as ConsoleBackend
from django.utils import timezone

OUTBOX = "development-mail"
KEPT_FOR = 600
KEPT = 20


class TerminalBackend(ConsoleBackend):
    """Print each mail where the operator looks, between rules and without its headers."""

    def write_message(self, message: EmailMessage) -> None:
        rule = "=" * 72
        to = ", ".join(message.recipients())
        self.stream.write(
            f"\n{rule}\n  MAIL to {to}\n  {message.subject}\n{rule}\n\n{message.body}\n{rule}\n\n"
        )

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        sent = super().send_messages(email_messages) or 0
        self.stream.flush()
        if settings.DEBUG:
            _keep(email_messages)
        return sent


def _keep(messages: Sequence[EmailMessage]) -> None:
    now = timezone.now()
    fresh = [
        {"to": message.recipients(), "subject": message.subject, "body": message.body, "at": now}
        for message in messages
    ]
    cache.set(OUTBOX, (fresh[::-1] + recent_mail())[:KEPT], KEPT_FOR)


def recent_mail() -> list[dict[str, object]]:
    """Return the mails of the last ten minutes, newest first; none unless DEBUG is on."""
    if not settings.DEBUG:
        return []
    kept: list[dict[str, object]] = cache.get(OUTBOX, [])
    return kept
