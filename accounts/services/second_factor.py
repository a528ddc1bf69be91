"""The second factor of operators: an authenticator app, and recovery codes for when it is lost.

Who may read an operator's mail can sign in as them; these keep such a person out of Django admin.
"""

import hashlib
import secrets
from base64 import b32encode
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_otp import verify_token
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from accounts.models import User
from brain.lib.errors import DomainError
from brain.lib.rate_limits import count_against

APP, RECOVERY, SETUP = "authenticator app", "recovery codes", "set-up code"
RECOVERY_CODES = 10
# 80 random bits each: nobody tries them through, so a plain hash is enough to store.
_LETTERS = 16
_GROUP = 4
_DIGITS = 6


class SecondFactorError(DomainError):
    """Wrong, used, too old or tried too often: all one answer."""

    code = "second_factor"


def new_setup_code(user: User) -> str:
    """Return a code with which the operator can set the second factor up, once and within a day.

    The factor that was there, its recovery codes and what they opened stop at once.
    """
    with transaction.atomic():
        forget_second_factor(user)
        # Not confirmed: it opens the set-up and nothing else.
        return _new_codes(user, name=SETUP, count=1, is_confirmed=False)[0]


def forget_second_factor(user: User) -> None:
    """Delete everything that verifies the person; a browser that was verified is so no longer."""
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def has_second_factor(user: User) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def new_app_key() -> str:
    """Return the secret that an authenticator app shares with this server, before it is stored."""
    return str(random_hex(20))


def app_address(user: User, *, key: str) -> str:
    """Return the address (otpauth://) that authenticator apps read from a picture."""
    return str(TOTPDevice(user=user, key=key).config_url)


@transaction.atomic
def set_up(user: User, *, key: str, setup_code: str, digits: str) -> tuple[Device, Sequence[str]]:
    """Keep the app's key if app and operator prove themselves; return it and recovery codes.

    Raises SecondFactorError, and keeps nothing.
    """
    _count(user)
    # Two windows at once must not leave two apps.
    User.objects.select_for_update().get(pk=user.pk)
    if has_second_factor(user):
        raise SecondFactorError(
            _("A second factor is set up already."),
            hint=_("To replace it, let whoever runs the server make a new set-up code."),
        )
    device = TOTPDevice.objects.create(user=user, name=APP, key=key, confirmed=True)
    if not device.verify_token(digits):
        raise SecondFactorError(
            _("The 6 digits are not those of the app."),
            hint=_("Type those that it shows now, and check that the clock of the phone is right."),
        )
    _redeem_setup_code(user, setup_code)
    codes = _new_codes(user, name=RECOVERY, count=RECOVERY_CODES, is_confirmed=True)
    return device, codes


def verify(user: User, *, typed: str) -> Device:
    """Return the device that proves the operator: six digits of the app, or a recovery code."""
    _count(user)
    plain = _plain(typed)
    if len(plain) == _DIGITS and plain.isdecimal():
        device = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    else:
        device, plain = StaticDevice.objects.filter(user=user, name=RECOVERY).first(), _hash(plain)
    # The library locks the row, counts failures, and takes each code only once.
    verified = verify_token(user, device.persistent_id, plain) if device else None
    if verified is None:
        raise SecondFactorError(
            _("This code is not right, or was used before."),
            hint=_("Wait for the next one in the app, or use a recovery code."),
        )
    return verified


def recovery_codes_left(user: User) -> int:
    tokens = StaticToken.objects.filter(device__user=user, device__name=RECOVERY)
    return int(tokens.count())


def _count(user: User) -> None:
    count_against(
        settings.SECOND_FACTOR_LIMIT,
        "second-factor",
        str(user.pk),
        message=_("Too many codes were tried."),
    )


def _redeem_setup_code(user: User, typed: str) -> None:
    device = (
        StaticDevice.objects.select_for_update()
        .filter(
            user=user,
            name=SETUP,
            created_at__gt=timezone.now() - timedelta(hours=settings.SETUP_CODE_HOURS),
        )
        .first()
    )
    if device is None or not device.verify_token(_hash(_plain(typed))):
        raise SecondFactorError(
            _("The set-up code is not right, or is too old."),
            hint=_("Let whoever runs the server make a new one: manage.py make_operator."),
        )
    device.delete()


def _new_codes(user: User, *, name: str, count: int, is_confirmed: bool) -> list[str]:
    device = StaticDevice.objects.create(user=user, name=name, confirmed=is_confirmed)
    codes = [b32encode(secrets.token_bytes(10)).decode().lower() for _number in range(count)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=_hash(code)) for code in codes)
    return [_grouped(code) for code in codes]


def _hash(code: str) -> str:
    """Return what is stored of a code; as long as the library's column."""
    return b32encode(hashlib.sha256(code.encode()).digest()).decode().lower()[:_LETTERS]


def _plain(typed: str) -> str:
    return "".join(char for char in typed.lower() if char.isascii() and char.isalnum())


def _grouped(code: str) -> str:
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))
