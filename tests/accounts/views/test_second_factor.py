"""The pages of the second factor, and Django admin behind them."""

import base64
import html
import re
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.operators import VERIFIED_AT_KEY
from accounts.services.operating import make_operator
from accounts.services.second_factor import SETUP
from tests.factories import make_user
from tests.operators import operator_browser, verified_browser

pytestmark = pytest.mark.django_db

PAGE, SET_UP = "/account/second-factor/", "/account/second-factor/set-up/"
START = "2026-11-30T12:00:00Z"


def shown_by_app(page: str) -> str:
    """Return the digits of an app that scanned the page's picture."""
    found = re.search(r"otpauth://[^\"]*?secret=([A-Z2-7]+)", html.unescape(page))
    assert found
    return f"{TOTP(_bytes(found[1])).token():06}"


def _bytes(secret: str) -> bytes:
    return base64.b32decode(secret)


@time_machine.travel(START, tick=False)
def test_a_new_operator_gets_in_by_mail_app_and_set_up_code(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    operator = make_operator("root@example.org")

    at_door = client.get("/admin/accounts/user/", follow=True)
    client.post("/sign-in/", {"email": "root@example.org", "next": "/admin/accounts/user/"})
    code = re.findall(r"\b\d{6}\b", str(mailoutbox[0].body))[0]
    signed_in = client.post(
        "/sign-in/code/", {"code": code, "next": "/admin/accounts/user/"}, follow=True
    )
    done = client.post(
        SET_UP,
        {
            "digits": shown_by_app(signed_in.text),
            "setup_code": operator.setup_code,
            "next": "/admin/accounts/user/",
        },
    )

    assert at_door.redirect_chain[-1][0].startswith("/sign-in/")
    assert signed_in.redirect_chain[-1][0].startswith(SET_UP)
    assert done.status_code == 201
    assert len(re.findall(r"<code>[a-z2-7-]{19}</code>", done.text)) == 10
    assert 'href="/admin/accounts/user/"' in done.text
    assert client.get("/admin/accounts/user/").status_code == 200


def test_who_can_read_the_mail_only_stays_out(client: Client) -> None:
    client.force_login(make_operator("root@example.org").user)
    page = client.get(SET_UP).text

    refused = client.post(SET_UP, {"digits": shown_by_app(page), "setup_code": "aaaa-bbbb"})

    assert refused.status_code == 422
    assert not TOTPDevice.objects.exists()
    assert client.get("/admin/").status_code == 302


def test_two_browsers_never_see_the_same_key(client: Client) -> None:
    operator = make_operator("root@example.org").user
    other = Client()
    client.force_login(operator)
    other.force_login(operator)

    keys = {re.findall(r"secret=([A-Z2-7]+)", each.get(SET_UP).text)[0] for each in (client, other)}

    assert len(keys) == 2


def test_an_enrolled_operator_is_asked_for_a_code_only(client: Client) -> None:
    operator = make_user(is_staff=True)
    device = TOTPDevice.objects.create(user=operator, name="app", confirmed=True)
    client.force_login(operator)
    before = client.session.session_key
    digits = f"{TOTP(bytes.fromhex(device.key)).token():06}"

    asked = client.get("/admin/", follow=True)
    answer = client.post(PAGE, {"code": digits, "next": "/admin/"}, follow=True)

    assert asked.redirect_chain[-1][0].startswith(PAGE)
    assert answer.redirect_chain[-1][0] == "/admin/"
    assert answer.status_code == 200
    assert client.session.session_key != before


def test_a_wrong_code_stays_out_and_says_what_to_do(client: Client) -> None:
    operator = make_user(is_staff=True)
    TOTPDevice.objects.create(user=operator, name="app", confirmed=True)
    client.force_login(operator)

    refused = client.post(PAGE, {"code": "not it"})

    assert refused.status_code == 422
    assert "not right" in refused.text
    assert client.get("/admin/").status_code == 302


def test_tries_are_limited(client: Client) -> None:
    operator = make_user(is_staff=True)
    TOTPDevice.objects.create(user=operator, name="app", confirmed=True)
    client.force_login(operator)

    answers = [client.post(PAGE, {"code": "123456"}) for _number in range(11)]

    assert answers[-1].status_code == 429
    assert int(answers[-1]["Retry-After"]) > 0


def test_the_second_factor_ends_after_some_hours() -> None:
    browser = operator_browser()
    session = browser.session
    ago = timezone.now() - timedelta(hours=settings.OPERATOR_HOURS)
    session[VERIFIED_AT_KEY] = ago.isoformat()
    session.save()

    assert browser.get("/admin/")["Location"].startswith("/admin/login/")
    assert browser.get("/account/").status_code == 200


def test_leaving_the_admin_keeps_the_person_signed_in() -> None:
    browser = operator_browser()

    browser.post("/admin/logout/")

    assert browser.get("/admin/").status_code == 302
    assert browser.get("/account/").status_code == 200


def test_another_page_can_not_end_it() -> None:
    browser = operator_browser()

    browser.get("/admin/logout/")

    assert browser.get("/admin/").status_code == 200


def test_a_device_of_somebody_else_verifies_nobody() -> None:
    victim, thief = make_user(is_staff=True), make_user(is_staff=True)
    browser = verified_browser(thief)
    theirs = TOTPDevice.objects.create(user=victim, name="app", confirmed=True)
    session = browser.session
    session["otp_device_id"] = theirs.persistent_id
    session.save()

    assert browser.get("/admin/").status_code == 302


@pytest.mark.parametrize("path", [PAGE, SET_UP])
def test_people_who_are_no_operators_find_no_such_page(signed_in: Client, path: str) -> None:
    assert signed_in.get(path).status_code == 404


@pytest.mark.parametrize("path", ["password_change/", "password_change/done/"])
def test_admin_has_no_password_form(path: str) -> None:
    assert operator_browser().get(f"/admin/{path}").status_code == 404


@pytest.mark.parametrize(
    "asked", ["https://evil.example/", "//evil.example", "javascript:alert(1)"]
)
def test_the_way_on_stays_on_this_site(client: Client, asked: str) -> None:
    operator = make_user(is_staff=True)
    device = TOTPDevice.objects.create(user=operator, name="app", confirmed=True)
    client.force_login(operator)
    digits = f"{TOTP(bytes.fromhex(device.key)).token():06}"

    answer = client.post(PAGE, {"code": digits, "next": asked})

    assert answer["Location"] == "/admin/"


def test_the_set_up_code_is_no_confirmed_device() -> None:
    operator = make_operator("root@example.org").user

    assert not StaticDevice.objects.get(user=operator, name=SETUP).confirmed
