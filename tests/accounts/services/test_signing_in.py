"""Codes: asked for, sent, tried, redeemed."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.utils import timezone
from hypothesis import HealthCheck
from hypothesis import given as for_all
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings

from accounts.models import SignInCode, User
from accounts.services.signing_in import CodeRefusedError, redeem_code, request_code
from brain.lib.errors import TooManyError, UnavailableError
from tests.factories import make_user

ADDRESS = "ana@example.org"
IP = "192.0.2.1"


def ask(email: str = ADDRESS, *, ip: str = IP, language: str = "en") -> None:
    request_code(email, ip=ip, language=language)


def code_in(mail: EmailMessage) -> str:
    found = re.search(r"\b\d{6}\b", str(mail.body))
    assert found is not None
    return found[0]


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"


def test_the_first_code_makes_the_account(db: None, mailoutbox: list[EmailMessage]) -> None:
    ask("Ana@Example.org")

    user = redeem_code("ana@example.ORG", code=code_in(mailoutbox[0]), ip=IP, language="pt-br")

    assert user.email == ADDRESS
    assert user.language == "pt-br"
    assert not user.has_usable_password()
    assert not user.is_staff


def test_the_next_code_finds_the_account_again(db: None, mailoutbox: list[EmailMessage]) -> None:
    ana = make_user(ADDRESS, language="pt-br")
    ask()

    user = redeem_code(ADDRESS, code=code_in(mailoutbox[0]), ip=IP, language="en")

    assert user == ana
    assert user.language == "pt-br"


def test_asking_makes_no_account(db: None, mailoutbox: list[EmailMessage]) -> None:
    ask()

    assert not User.objects.exists()


def test_the_code_is_stored_only_as_a_keyed_hash(db: None, mailoutbox: list[EmailMessage]) -> None:
    ask()

    row = SignInCode.objects.get()
    digits = code_in(mailoutbox[0])
    assert len(row.code_hash) == 64
    assert all(
        digits not in str(getattr(row, field.attname))
        for field in row._meta.fields
        if field.attname not in {"created_at", "expires_at"}
    )


def test_two_people_with_the_same_code_have_different_hashes(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda _limit: 7)
    ask("ana@example.org")
    ask("bob@example.org")

    first, second = SignInCode.objects.all()

    assert first.code_hash != second.code_hash


def test_the_code_keeps_its_leading_zeros(
    db: None, mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda _limit: 42)
    ask()

    assert code_in(mailoutbox[0]) == "000042"
    assert redeem_code(ADDRESS, code="000042", ip=IP).email == ADDRESS


def test_the_mail_says_the_code_in_the_body_and_never_in_the_subject(
    db: None, mailoutbox: list[EmailMessage]
) -> None:
    ask()

    (mail,) = mailoutbox
    assert mail.to == [ADDRESS]
    assert code_in(mail) not in mail.subject
    assert "10 minutes" in str(mail.body)


def test_a_code_works_once(db: None, mailoutbox: list[EmailMessage]) -> None:
    ask()
    code = code_in(mailoutbox[0])
    redeem_code(ADDRESS, code=code, ip=IP)

    with pytest.raises(CodeRefusedError):
        redeem_code(ADDRESS, code=code, ip=IP)


def test_a_code_of_somebody_else_does_not_work(db: None, mailoutbox: list[EmailMessage]) -> None:
    ask("ana@example.org")
    ask("bob@example.org")

    with pytest.raises(CodeRefusedError):
        redeem_code("bob@example.org", code=code_in(mailoutbox[0]), ip=IP)


def test_a_new_code_makes_the_older_one_void(db: None, mailoutbox: list[EmailMessage]) -> None:
    ask()
    ask()
    older, newer = (code_in(mail) for mail in mailoutbox)

    if older != newer:
        with pytest.raises(CodeRefusedError):
            redeem_code(ADDRESS, code=older, ip=IP)
    assert redeem_code(ADDRESS, code=newer, ip=IP).email == ADDRESS


def test_a_code_works_for_ten_minutes(db: None, mailoutbox: list[EmailMessage]) -> None:
    started = timezone.now()
    with time_machine.travel(started, tick=False):
        ask()

    with time_machine.travel(started + timedelta(minutes=9, seconds=59), tick=False):
        user = redeem_code(ADDRESS, code=code_in(mailoutbox[0]), ip=IP)

    assert user.email == ADDRESS


@pytest.mark.parametrize("minutes", [10, 600])
def test_a_code_is_refused_after_ten_minutes(
    db: None, mailoutbox: list[EmailMessage], minutes: int
) -> None:
    started = timezone.now()
    with time_machine.travel(started, tick=False):
        ask()

    with (
        time_machine.travel(started + timedelta(minutes=minutes), tick=False),
        pytest.raises(CodeRefusedError),
    ):
        redeem_code(ADDRESS, code=code_in(mailoutbox[0]), ip=IP)


def test_the_fifth_try_may_be_the_right_one(db: None, mailoutbox: list[EmailMessage]) -> None:
    ask()
    code = code_in(mailoutbox[0])
    for _ in range(4):
        with pytest.raises(CodeRefusedError):
            redeem_code(ADDRESS, code=other_than(code), ip=IP)

    assert redeem_code(ADDRESS, code=code, ip=IP).email == ADDRESS


def test_after_five_wrong_tries_the_right_code_is_refused(
    db: None, mailoutbox: list[EmailMessage]
) -> None:
    ask()
    code = code_in(mailoutbox[0])
    for _ in range(5):
        with pytest.raises(CodeRefusedError):
            redeem_code(ADDRESS, code=other_than(code), ip=IP)

    with pytest.raises(CodeRefusedError):
        redeem_code(ADDRESS, code=code, ip=IP)


def test_a_new_code_has_tries_of_its_own(db: None, mailoutbox: list[EmailMessage]) -> None:
    ask()
    code = code_in(mailoutbox[0])
    for _ in range(5):
        with pytest.raises(CodeRefusedError):
            redeem_code(ADDRESS, code=other_than(code), ip=IP)

    ask()

    assert redeem_code(ADDRESS, code=code_in(mailoutbox[1]), ip=IP).email == ADDRESS


def test_every_refusal_is_in_the_same_words(db: None, mailoutbox: list[EmailMessage]) -> None:
    make_user("gone@example.org", is_active=False)
    ask("gone@example.org")
    ask("known@example.org")
    codes = {mail.to[0]: code_in(mail) for mail in mailoutbox}
    tries = [
        ("gone@example.org", codes["gone@example.org"]),
        ("known@example.org", other_than(codes["known@example.org"])),
        ("never@example.org", "123456"),
    ]

    refusals = []
    for email, code in tries:
        with pytest.raises(CodeRefusedError) as refusal:
            redeem_code(email, code=code, ip=IP)
        refusals.append(refusal.value)

    assert len({error.sentence for error in refusals}) == 1


def test_an_address_gets_five_codes_in_ten_minutes(
    db: None, mailoutbox: list[EmailMessage]
) -> None:
    for number in range(5):
        ask("Ana@example.org" if number % 2 else ADDRESS, ip=f"192.0.2.{number}")

    with pytest.raises(TooManyError) as refusal:
        ask(ip="192.0.2.99")

    assert len(mailoutbox) == 5
    assert 0 < refusal.value.retry_after <= 1200


def test_an_address_gets_twenty_codes_in_a_day(
    db: None, mailoutbox: list[EmailMessage], settings: Settings
) -> None:
    quick = {"request:email": "1000/second", "request:ip": "1000/second"}
    settings.SIGN_IN_LIMITS = settings.SIGN_IN_LIMITS | quick
    for _ in range(20):
        ask()

    with pytest.raises(TooManyError):
        ask()

    assert len(mailoutbox) == 20


def test_one_caller_asks_for_thirty_codes_in_ten_minutes(
    db: None, mailoutbox: list[EmailMessage]
) -> None:
    for number in range(30):
        ask(f"person{number}@example.org")

    with pytest.raises(TooManyError):
        ask("another@example.org")

    ask("another@example.org", ip="192.0.2.2")
    assert len(mailoutbox) == 31


def test_an_address_is_tried_fifteen_times_in_ten_minutes(
    db: None, mailoutbox: list[EmailMessage]
) -> None:
    for _ in range(15):
        with pytest.raises(CodeRefusedError):
            redeem_code(ADDRESS, code="123456", ip=IP)
    ask()

    with pytest.raises(TooManyError):
        redeem_code(ADDRESS, code=code_in(mailoutbox[0]), ip="192.0.2.7")


def test_limits_are_the_same_for_an_address_without_account(db: None) -> None:
    make_user(ADDRESS)

    answers = [_answers_of_asking(email) for email in (ADDRESS, "nobody@example.org")]

    assert answers[0] == answers[1]


def _answers_of_asking(email: str) -> list[str]:
    answers = []
    for number in range(7):
        try:
            ask(email, ip=f"198.51.100.{number}")
        except TooManyError as error:
            answers.append(error.message)
        else:
            answers.append("sent")
    return answers


def test_mail_that_can_not_be_sent_is_said(db: None, settings: Settings) -> None:
    # Nothing listens on port 1 of this machine.
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    with pytest.raises(UnavailableError):
        ask()


def test_no_sign_in_while_the_limits_can_not_be_counted(db: None, settings: Settings) -> None:
    settings.RATE_LIMIT_URL = "redis+unix:///nowhere/valkey.sock?db=3"

    with pytest.raises(UnavailableError):
        ask()


@hypothesis_settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@for_all(code=st.text(max_size=20).filter(lambda text: text != "314159"))
def test_no_other_text_than_the_code_signs_in(db: None, settings: Settings, code: str) -> None:
    settings.SIGN_IN_LIMITS = dict.fromkeys(settings.SIGN_IN_LIMITS, "1000/second")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.randbelow", lambda _limit: 314159)
        ask()

        with pytest.raises(CodeRefusedError):
            redeem_code(ADDRESS, code=code, ip=IP)


def test_neither_code_nor_address_is_logged(
    db: None, mailoutbox: list[EmailMessage], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    ask()
    code = code_in(mailoutbox[0])
    with pytest.raises(CodeRefusedError):
        redeem_code(ADDRESS, code=other_than(code), ip=IP)
    redeem_code(ADDRESS, code=code, ip=IP)

    ours = [record.getMessage() for record in caplog.records if record.name.startswith("accounts")]
    assert not any(code in line or ADDRESS in line for line in ours)
