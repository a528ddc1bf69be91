"""Sign in with a code that was sent by e-mail; the first sign-in makes the account."""

import secrets
import smtplib
from datetime import timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import F
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from accounts.addresses import canonical_address
from accounts.models import SignInCode, User, random_salt
from brain.lib.errors import DomainError, UnavailableError
from brain.lib.rate_limits import count_against

DIGITS = 6


class CodeRefusedError(DomainError):
    """Wrong, used, too old, tried too often, or of an account that is closed: all one answer."""

    code = "sign_in_code"

    def __init__(self) -> None:
        super().__init__(
            _("This code is not right, or no longer valid."),
            hint=_("Check the digits, or ask for a new code."),
        )


def request_code(email: str, *, ip: str, language: str) -> None:
    """Send a code to the address; an older one stops working.

    Does the same for every address, so that nobody learns who has an account.
    """
    address = canonical_address(email)
    _count("request", address, ip, message=_("Too many codes were asked for."))
    digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    _remember(address, digits)
    _send(address, digits, language)


def redeem_code(email: str, *, code: str, ip: str, language: str = "en") -> User:
    """Return the person whose address the code was sent to, making the account at first.

    Raises CodeRefusedError without saying why. `language` is that of a new account.
    """
    address = canonical_address(email)
    _count("try", address, ip, message=_("Too many codes were tried."))
    if not _is_redeemed(address, code):
        raise CodeRefusedError
    user = User.objects.existing_or_new(address, language=language)
    if not user.is_active:
        raise CodeRefusedError
    return user


def _count(event: str, address: str, ip: str, *, message: str) -> None:
    who = {"email": address, "ip": ip}
    for name, limit in settings.SIGN_IN_LIMITS.items():
        counted, by, *_window = name.split(":")
        if counted == event:
            count_against(limit, name, who[by], message=message)


def _hash(address: str, digits: str, *, salt: str) -> str:
    # Six digits are guessed in no time from any plain hash, however slow; without the secret key
    # this one can't be computed at all.
    key = f"accounts.sign-in-code.{salt}"
    return salted_hmac(key, f"{address}:{digits}", algorithm="sha256").hexdigest()


def _remember(address: str, digits: str) -> None:
    now, salt = timezone.now(), random_salt()
    SignInCode.objects.update_or_create(
        email=address,
        defaults={
            "salt": salt,
            "code_hash": _hash(address, digits, salt=salt),
            "tries": 0,
            "created_at": now,
            "expires_at": now + timedelta(minutes=settings.SIGN_IN_CODE_MINUTES),
        },
    )


def _send(address: str, digits: str, language: str) -> None:
    context = {"code": digits, "minutes": settings.SIGN_IN_CODE_MINUTES}
    with translation.override(language):
        # Locked screens show subjects, so the code stands in the body only.
        subject = _("Your sign-in code for Agents Brain")
        body = render_to_string("accounts/mail/code.txt", context).strip()
    try:
        send_mail(subject, body, None, [address])
    except (smtplib.SMTPException, OSError) as error:
        raise UnavailableError(_("The mail with the code could not be sent.")) from error


def _is_redeemed(address: str, digits: str) -> bool:
    """Take one of the tries; when the code is right, take the code too. Only one caller gets it."""
    sent = SignInCode.objects.filter(email=address).first()
    if sent is None:
        _hash(address, digits, salt="")
        return False
    # The hash in the condition: a code that was replaced meanwhile is another one.
    this_code = SignInCode.objects.filter(pk=sent.pk, code_hash=sent.code_hash)
    # One statement counts and decides, so parallel tries don't get a place too many.
    open_tries = this_code.filter(
        tries__lt=settings.SIGN_IN_CODE_TRIES, expires_at__gt=timezone.now()
    )
    if not open_tries.update(tries=F("tries") + 1):
        return False
    if not constant_time_compare(sent.code_hash, _hash(address, digits, salt=sent.salt)):
        return False
    taken, _rows = this_code.delete()
    return taken == 1
