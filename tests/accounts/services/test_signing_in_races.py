"""Codes under parallel tries, each on its own connection."""

from functools import partial

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from accounts.models import SignInCode, User
from accounts.services.signing_in import CodeRefusedError, redeem_code, request_code
from tests.accounts.services.test_signing_in import ADDRESS, IP, code_in, other_than
from tests.races import all_at_once, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_limits(settings: Settings) -> None:
    settings.SIGN_IN_LIMITS = dict.fromkeys(settings.SIGN_IN_LIMITS, "1000/second")


def test_fifty_parallel_wrong_tries_get_five_places(mailoutbox: list[EmailMessage]) -> None:
    request_code(ADDRESS, ip=IP, language="en")
    code = code_in(mailoutbox[0])

    wrong = partial(redeem_code, ADDRESS, code=other_than(code), ip=IP)
    answers = at_once(wrong, times=50)

    assert all(isinstance(answer, CodeRefusedError) for answer in answers)
    assert SignInCode.objects.get().tries == 5
    with pytest.raises(CodeRefusedError):
        redeem_code(ADDRESS, code=code, ip=IP)


def test_the_right_code_sent_many_times_at_once_signs_in_once(
    mailoutbox: list[EmailMessage],
) -> None:
    request_code(ADDRESS, ip=IP, language="en")

    right = partial(redeem_code, ADDRESS, code=code_in(mailoutbox[0]), ip=IP)
    answers = at_once(right, times=10)

    assert sum(isinstance(answer, User) for answer in answers) == 1
    assert User.objects.count() == 1


def test_codes_asked_for_at_once_leave_one(mailoutbox: list[EmailMessage]) -> None:
    at_once(partial(request_code, ADDRESS, ip=IP, language="en"), times=10)

    assert SignInCode.objects.count() == 1
    assert len(mailoutbox) == 10


def test_an_account_is_made_once_whoever_comes_first() -> None:
    spellings = ["ana@example.org", "Ana@example.org", "ANA@EXAMPLE.ORG", " ana@Example.org"]

    made = all_at_once([partial(User.objects.existing_or_new, text) for text in spellings * 3])

    assert len({user.pk for user in made if isinstance(user, User)}) == 1
    assert User.objects.count() == 1
