"""The page that asks for the code."""

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from accounts.forms import CodeForm
from accounts.models import BrowserSession, User
from tests.accounts.services.test_signing_in import code_in, other_than
from tests.factories import make_user

SIGN_IN = "/sign-in/"
CODE = "/sign-in/code/"


@pytest.fixture(autouse=True)
def _asked(client: Client, db: None) -> None:
    client.post(SIGN_IN, {"email": "ana@example.org"})


def test_the_code_signs_in(client: Client, mailoutbox: list[EmailMessage]) -> None:
    response = client.post(
        CODE, {"code": code_in(mailoutbox[0])}, headers={"User-Agent": "Firefox/150.0 (X11)"}
    )

    assert response.status_code == 302
    assert response["Location"] == reverse("spaces:list")
    row = BrowserSession.objects.get()
    assert row.user == User.objects.get(email="ana@example.org")
    assert row.user_agent == "Firefox/150.0 (X11)"
    assert client.session.get_expire_at_browser_close() is False
    assert client.session.get_expiry_age() == 30 * 24 * 3600


def test_the_session_key_changes_so_that_a_planted_one_opens_nothing(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    planted = client.session.session_key

    client.post(CODE, {"code": code_in(mailoutbox[0])})

    assert client.session.session_key != planted
    assert not BrowserSession.objects.filter(pk=planted).exists()


def test_the_person_goes_on_to_where_they_wanted(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    response = client.post(CODE, {"code": code_in(mailoutbox[0]), "next": "/authorize?a=1&b=2"})

    assert response["Location"] == "/authorize?a=1&b=2"


def test_the_person_never_goes_on_to_another_site(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    response = client.post(CODE, {"code": code_in(mailoutbox[0]), "next": "//evil.example/"})

    assert response["Location"] == reverse("spaces:list")


def test_a_wrong_code_is_said_and_signs_nobody_in(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    response = client.post(CODE, {"code": other_than(code_in(mailoutbox[0]))})

    assert response.status_code == 422
    assert "no longer valid" in response.text
    assert "_auth_user_id" not in client.session


def test_a_closed_account_is_refused_in_the_words_of_a_wrong_code(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_user("ana@example.org", is_active=False)

    response = client.post(CODE, {"code": code_in(mailoutbox[0])})

    assert response.status_code == 422
    assert "no longer valid" in response.text
    assert "_auth_user_id" not in client.session


def test_too_many_tries_are_refused_with_a_time_to_wait(client: Client) -> None:
    for _ in range(15):
        client.post(CODE, {"code": "000000"})

    response = client.post(CODE, {"code": "000000"})

    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0


def test_a_text_that_is_no_code_takes_no_try(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    for _ in range(10):
        assert client.post(CODE, {"code": "12345"}).status_code == 422

    assert client.post(CODE, {"code": code_in(mailoutbox[0])}).status_code == 302


def test_a_new_code_can_be_sent_from_here(client: Client, mailoutbox: list[EmailMessage]) -> None:
    response = client.post(
        SIGN_IN, {"email": "ana@example.org", "again": "1", "next": "/account/"}, follow=True
    )

    assert "A new code is on its way" in response.text
    assert len(mailoutbox) == 2
    response = client.post(CODE, {"code": code_in(mailoutbox[1]), "next": "/account/"})
    assert response["Location"] == "/account/"


def test_without_an_address_there_is_no_code_to_type() -> None:
    response = Client().get(f"{CODE}?next=/account/")

    assert response["Location"] == f"{SIGN_IN}?next=%2Faccount%2F"


def test_who_is_signed_in_goes_on(signed_in: Client) -> None:
    assert signed_in.get(CODE)["Location"] == reverse("spaces:list")


def test_other_methods_are_refused(client: Client) -> None:
    assert client.put(CODE).status_code == 405


@pytest.mark.parametrize("typed", ["123456", " 123 456 ", "123-456", "1 2 3 4 5 6", "１２３４５６"])  # noqa: RUF001
def test_a_code_may_be_typed_as_mail_programs_copy_it(typed: str) -> None:
    form = CodeForm({"code": typed})

    assert form.is_valid()
    assert form.cleaned_data["code"] == "123456"


@given(st.text(max_size=60))
def test_any_text_is_refused_or_becomes_six_digits(typed: str) -> None:
    form = CodeForm({"code": typed})

    if form.is_valid():
        code = form.cleaned_data["code"]
        assert len(code) == 6
        assert code.isascii()
        assert code.isdecimal()
