"""The second factor of operators."""

from functools import partial

import pytest
import time_machine
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import User
from accounts.services.second_factor import (
    RECOVERY_CODES,
    SecondFactorError,
    has_second_factor,
    new_app_key,
    new_setup_code,
    recovery_codes_left,
    set_up,
    verify,
)
from brain.lib.errors import TooManyError
from tests.races import all_at_once

NOON = "2026-11-30T12:00:00Z"
LATER = "2026-11-30T12:05:00Z"


def shown(key: str) -> str:
    """Return the digits that an authenticator app shows now."""
    return f"{TOTP(bytes.fromhex(key)).token():06}"


def enrolled(user: User) -> tuple[str, list[str]]:
    """Set the second factor up at noon; return the app's key and the recovery codes."""
    key = new_app_key()
    with time_machine.travel(NOON, tick=False):
        code = new_setup_code(user)
        _device, codes = set_up(user, key=key, setup_code=code, digits=shown(key))
    return key, list(codes)


def test_digits_of_the_app_verify_once(user: User) -> None:
    key, _codes = enrolled(user)

    with time_machine.travel(LATER, tick=False):
        device = verify(user, typed=f" {shown(key)[:3]} {shown(key)[3:]} ")
        with pytest.raises(SecondFactorError):
            verify(user, typed=shown(key))

    assert device.user_id == user.pk


def test_the_digits_of_the_set_up_open_nothing_again(user: User) -> None:
    key, _codes = enrolled(user)

    with time_machine.travel(NOON, tick=False), pytest.raises(SecondFactorError):
        verify(user, typed=shown(key))


def test_a_recovery_code_verifies_once_and_is_stored_as_a_hash(user: User) -> None:
    _key, codes = enrolled(user)
    stored = set(StaticToken.objects.values_list("token", flat=True))

    verify(user, typed=codes[0].upper())

    assert recovery_codes_left(user) == RECOVERY_CODES - 1
    assert not stored & {code.replace("-", "") for code in codes}
    with pytest.raises(SecondFactorError):
        verify(user, typed=codes[0])


@pytest.mark.django_db(transaction=True)
def test_one_recovery_code_used_many_times_at_once_verifies_once() -> None:
    user = User.objects.create_user("root@example.org")
    _key, codes = enrolled(user)

    outcomes = all_at_once([partial(verify, user, typed=codes[0])] * 4)

    assert sum(not isinstance(each, Exception) for each in outcomes) == 1


def test_a_set_up_code_works_once(user: User) -> None:
    key = new_app_key()
    with time_machine.travel(NOON, tick=False):
        code = new_setup_code(user)
        set_up(user, key=key, setup_code=code, digits=shown(key))
    TOTPDevice.objects.all().delete()

    with time_machine.travel(LATER, tick=False), pytest.raises(SecondFactorError):
        set_up(user, key=key, setup_code=code, digits=shown(key))

    assert not has_second_factor(user)


@pytest.mark.parametrize("moment", ["2026-12-01T12:00:01Z"])
def test_a_set_up_code_is_void_after_a_day(user: User, moment: str) -> None:
    key = new_app_key()
    with time_machine.travel(NOON, tick=False):
        code = new_setup_code(user)

    with time_machine.travel(moment, tick=False), pytest.raises(SecondFactorError, match="too old"):
        set_up(user, key=key, setup_code=code, digits=shown(key))

    assert not has_second_factor(user)


def test_wrong_digits_do_not_use_the_set_up_code_up(user: User) -> None:
    key = new_app_key()
    with time_machine.travel(NOON, tick=False):
        code = new_setup_code(user)
        wrong = f"{(int(shown(key)) + 1) % 1_000_000:06}"
        with pytest.raises(SecondFactorError):
            set_up(user, key=key, setup_code=code, digits=wrong)
        set_up(user, key=key, setup_code=code, digits=shown(key))

    assert has_second_factor(user)


def test_a_set_up_code_is_no_second_factor(user: User) -> None:
    code = new_setup_code(user)

    with pytest.raises(SecondFactorError):
        verify(user, typed=code)


def test_a_code_of_somebody_else_opens_nothing(user: User) -> None:
    _key, codes = enrolled(User.objects.create_user("other@example.org"))
    enrolled(user)

    with pytest.raises(SecondFactorError):
        verify(user, typed=codes[0])


def test_a_second_set_up_needs_a_new_code(user: User) -> None:
    enrolled(user)
    key = new_app_key()

    with time_machine.travel(LATER, tick=False), pytest.raises(SecondFactorError, match="already"):
        set_up(user, key=key, setup_code="", digits=shown(key))


def test_a_new_set_up_code_ends_app_and_recovery_codes(user: User) -> None:
    key, codes = enrolled(user)

    new_setup_code(user)

    with time_machine.travel(LATER, tick=False):
        for typed in (shown(key), codes[0]):
            with pytest.raises(SecondFactorError):
                verify(user, typed=typed)


def test_guessing_ends_soon(user: User) -> None:
    enrolled(user)
    # The set-up was the first of ten.
    for _number in range(9):
        with pytest.raises(SecondFactorError):
            verify(user, typed="000000")

    with pytest.raises(TooManyError) as caught:
        verify(user, typed="000000")

    assert caught.value.retry_after > 0
