"""The account page."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import BrowserSession, User
from tests.factories import make_space, make_user

ACCOUNT = "/account/"
CHOSEN = {
    "name": "Ana",
    "language": "en",
    "time_zone": "America/Sao_Paulo",
    "theme": "dark",
    "has_shortcuts": "on",
}


def other_browser(user: User) -> tuple[Client, BrowserSession]:
    browser = Client()
    browser.force_login(user)
    return browser, BrowserSession.objects.get(pk=browser.session.session_key)


def test_the_page_shows_who_one_is(signed_in: Client, user: User) -> None:
    response = signed_in.get(ACCOUNT)

    assert response.status_code == 200
    assert user.email in response.text
    assert "this browser" in response.text


def test_choices_are_saved_and_shown(signed_in: Client, user: User) -> None:
    response = signed_in.post(ACCOUNT, CHOSEN)

    assert response["Location"] == ACCOUNT
    page = signed_in.get(ACCOUNT).text
    assert 'data-theme="dark"' in page
    assert 'value="Ana"' in page
    assert "Saved." in page


def test_shortcuts_can_be_turned_off(signed_in: Client, user: User) -> None:
    signed_in.post(ACCOUNT, {name: value for name, value in CHOSEN.items() if value != "on"})

    user.refresh_from_db()
    assert user.has_shortcuts is False


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("language", "tlh"),
        ("time_zone", "Mars/Olympus"),
        ("theme", "pink"),
        ("name", "a" * 81),
    ],
)
def test_a_refused_choice_changes_nothing(
    signed_in: Client, user: User, field: str, value: str
) -> None:
    response = signed_in.post(ACCOUNT, CHOSEN | {field: value})

    assert response.status_code == 422
    user.refresh_from_db()
    assert user.theme == "system"


def test_one_browser_is_signed_out(signed_in: Client, user: User) -> None:
    browser, row = other_browser(user)

    response = signed_in.post(f"/account/browsers/{row.public_id}/sign-out/")

    assert response["Location"] == ACCOUNT
    assert browser.get(ACCOUNT)["Location"].startswith("/sign-in/")
    assert signed_in.get(ACCOUNT).status_code == 200


def test_a_browser_of_somebody_else_is_not_found(signed_in: Client) -> None:
    browser, row = other_browser(make_user())

    response = signed_in.post(f"/account/browsers/{row.public_id}/sign-out/")

    assert response.status_code == 404
    assert browser.get(ACCOUNT).status_code == 200


def test_everywhere_else_is_signed_out(signed_in: Client, user: User) -> None:
    browser, _row = other_browser(user)
    stranger, _row = other_browser(make_user())

    signed_in.post("/account/browsers/sign-out/")

    assert browser.get(ACCOUNT).status_code == 302
    assert signed_in.get(ACCOUNT).status_code == 200
    assert stranger.get(ACCOUNT).status_code == 200


def test_everywhere_can_mean_here_too(signed_in: Client, user: User) -> None:
    response = signed_in.post("/account/browsers/sign-out/", {"here": "1"})

    assert response["Location"] == "/sign-in/"
    assert signed_in.get(ACCOUNT).status_code == 302
    assert not BrowserSession.objects.filter(user=user).exists()


def test_session_keys_are_never_on_the_page(signed_in: Client, user: User) -> None:
    _browser, row = other_browser(user)

    page = signed_in.get(ACCOUNT).text

    assert str(row.public_id) in page
    assert row.session_key not in page
    assert str(signed_in.session.session_key) not in page


def test_twenty_browsers_cost_no_more_queries_than_one(
    signed_in: Client, user: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(20):
        other_browser(user)

    # Session, person, browsers, and the spaces of the switcher.
    with django_assert_num_queries(4):
        signed_in.get(ACCOUNT)


def test_the_typed_address_deletes_the_account(signed_in: Client, user: User) -> None:
    make_space(owner=user)

    response = signed_in.post("/account/delete/", {"email": user.email}, follow=True)

    assert not User.objects.exists()
    assert response.redirect_chain[-1][0] == "/sign-in/"
    assert "is deleted" in response.text


@pytest.mark.parametrize("typed", ["", "no", "other@example.org"])
def test_another_address_deletes_nothing(signed_in: Client, typed: str) -> None:
    response = signed_in.post("/account/delete/", {"email": typed})

    assert response.status_code == 422
    assert User.objects.count() == 1


@pytest.mark.parametrize("address", [ACCOUNT, "/account/delete/", "/account/browsers/sign-out/"])
def test_who_is_signed_out_is_sent_to_sign_in(client: Client, db: None, address: str) -> None:
    response = client.post(address)

    assert response["Location"] == f"/sign-in/?next={address}"


@pytest.mark.parametrize("address", ["/account/delete/", "/account/browsers/sign-out/"])
def test_what_changes_something_is_no_link(signed_in: Client, address: str) -> None:
    assert signed_in.get(address).status_code == 405
