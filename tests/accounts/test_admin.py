"""What operators can do about people."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from spaces.models import Space
from tests.factories import make_space, make_user
from tests.operators import operator_browser, verified_browser

USERS = "/admin/accounts/user/"


@pytest.fixture
def operator(db: None) -> Client:
    return operator_browser("root@example.org")


def test_operators_sign_in_as_everybody_does(client: Client, db: None) -> None:
    response = client.get("/admin/", follow=True)

    assert response.redirect_chain[-1][0].startswith(reverse("accounts:sign-in"))


def test_a_person_who_is_no_operator_stays_out(signed_in: Client) -> None:
    response = signed_in.get("/admin/", follow=True)

    assert response.status_code == 403


def test_an_operator_at_the_sign_in_page_goes_on(operator: Client) -> None:
    assert operator.get("/admin/login/")["Location"] == "/admin/"


def test_operators_find_people_by_address(operator: Client) -> None:
    make_user("ana@example.org")
    make_user("bob@example.org")

    page = operator.get(USERS, {"q": "ana@"})

    assert "ana@example.org" in page.text
    assert "bob@example.org" not in page.text


def test_no_password_is_seen_or_set(operator: Client, user: User) -> None:
    page = operator.get(f"{USERS}{user.pk}/change/")

    assert page.status_code == 200
    assert 'name="password' not in page.text
    assert user.password not in page.text
    assert not User.objects.get(email="root@example.org").has_usable_password()


def test_accounts_are_not_made_here(operator: Client) -> None:
    assert operator.get(f"{USERS}add/").status_code == 403


def test_an_account_can_be_closed_for_a_while(operator: Client, user: User) -> None:
    browser = Client()
    browser.force_login(user)

    operator.post(f"{USERS}{user.pk}/change/", {"groups": []})

    user.refresh_from_db()
    assert user.is_active is False
    assert browser.get("/account/").status_code == 302


def test_deleting_one_takes_its_spaces_along(operator: Client) -> None:
    space = make_space()

    operator.post(f"{USERS}{space.owner.pk}/delete/", {"post": "yes"})

    assert not Space.objects.exists()
    assert not User.objects.filter(pk=space.owner.pk).exists()


def test_deleting_several_takes_their_spaces_along(operator: Client) -> None:
    owners = [make_space().owner.pk for _ in range(2)]

    operator.post(USERS, {"action": "delete_selected", "_selected_action": owners, "post": "yes"})

    assert not Space.objects.exists()
    assert User.objects.count() == 1


def test_staff_who_may_change_people_can_not_raise_themselves(db: None) -> None:
    staff = make_user(is_staff=True)
    browser = verified_browser(staff)

    response = browser.post(f"{USERS}{staff.pk}/change/", {"is_active": "on", "is_superuser": "on"})

    staff.refresh_from_db()
    assert response.status_code == 403
    assert staff.is_superuser is False


def test_a_superuser_gives_another_operator_a_new_set_up_code(operator: Client) -> None:
    other = make_user("other@example.org", is_staff=True)
    theirs = verified_browser(other)

    page = operator.post(
        USERS, {"action": "make_setup_codes", "_selected_action": [other.pk]}, follow=True
    )

    assert "Set-up code of other@example.org" in page.text
    assert theirs.get("/admin/").status_code == 302


def test_staff_who_are_no_superusers_make_no_set_up_codes(db: None) -> None:
    staff = make_user(is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))

    page = verified_browser(staff).get(USERS)

    assert page.status_code == 200
    assert "make_setup_codes" not in page.text


def test_secrets_of_the_second_factor_are_not_listed(operator: Client) -> None:
    assert operator.get("/admin/otp_totp/totpdevice/").status_code == 404
    assert operator.get("/admin/otp_static/staticdevice/").status_code == 404
