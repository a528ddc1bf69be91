"""Jobs of every hour: what has expired is cleared away."""

from celery import shared_task
from django.utils import timezone

from accounts.models import BrowserSession, SignInCode


@shared_task
def clear_sign_in_codes() -> None:
    """Delete codes whose ten minutes are over."""
    SignInCode.objects.filter(expires_at__lt=timezone.now()).delete()


@shared_task
def clear_browser_sessions() -> None:
    """Delete sessions that nobody used for their thirty days."""
    BrowserSession.objects.filter(expire_date__lt=timezone.now()).delete()
