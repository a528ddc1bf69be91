"""Browsers of operators, who proved themselves twice."""

from django.test import Client
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import User
from accounts.operators import VERIFIED_AT_KEY


def operator_browser(email: str = "root@example.org") -> Client:
    """Return the browser of a new superuser, signed in and verified."""
    return verified_browser(User.objects.create_superuser(email))


def verified_browser(user: User) -> Client:
    """Return a browser of the person in which the second factor was shown just now."""
    browser = Client()
    browser.force_login(user)
    device = TOTPDevice.objects.create(user=user, name="authenticator app", confirmed=True)
    session = browser.session
    session[DEVICE_ID_SESSION_KEY] = device.persistent_id
    session[VERIFIED_AT_KEY] = timezone.now().isoformat()
    session.save()
    return browser
