"""Delete what OAuth no longer needs."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from oauth2_provider.models import clear_expired

from mcp_gateway.models import Application


def clear_oauth() -> None:
    """Delete expired tokens and codes, and apps that registered and were never let in.

    An app that was let in once stays: it keeps its client id, and would not ask for another.
    """
    clear_expired()
    Application.objects.filter(
        registration_source__in=[
            Application.RegistrationSource.DCR,
            Application.RegistrationSource.CIMD,
        ],
        last_used_at=None,
        created__lt=timezone.now() - timedelta(days=settings.OAUTH_UNUSED_CLIENT_DAYS),
    ).delete()
