"""Sessions and tokens: nobody plants one, keeps one, or carries one to another door."""

import re
from datetime import timedelta

import pytest
import time_machine
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.models import BrowserSession, User
from accounts.services.browsers import sign_out_everywhere
from accounts.services.closing import close_account
from spaces.models import Space
from tests.factories import make_space, make_user
from tests.mcp_gateway.clients import POST_HEADERS, key_of, rpc, web
from tests.operators import verified_browser

pytestmark = pytest.mark.django_db

COOKIE = settings.SESSION_COOKIE_NAME


def sign_in(
    browser: Client, mailoutbox: list[EmailMessage], email: str = "ana@example.org"
) -> None:
    """Sign in as a person does, through the pages."""
    browser.post("/sign-in/", {"email": email})
    code = re.findall(r"\b\d{6}\b", str(mailoutbox[-1].body))[0]
    assert browser.post("/sign-in/code/", {"code": code}).status_code == 302


def key_in(browser: Client) -> str:
    return browser.cookies[COOKIE].value


# --- Fixation ------------------------------------------------------------------------------------


def test_signing_in_gives_the_browser_another_key(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    client.post("/sign-in/", {"email": "ana@example.org"})
    before = key_in(client)

    sign_in(client, mailoutbox)

    assert key_in(client) != before
    assert not BrowserSession.objects.filter(session_key=before).exists()


def test_a_planted_key_is_never_the_one_of_who_signs_in(mailoutbox: list[EmailMessage]) -> None:
    thief, victim = Client(), Client()
    thief.post("/sign-in/", {"email": "thief@example.org"})
    victim.cookies[COOKIE] = key_in(thief)

    sign_in(victim, mailoutbox)

    assert victim.get("/account/").status_code == 200
    assert thief.get("/account/").status_code == 302


def test_a_made_up_key_is_not_taken(client: Client, mailoutbox: list[EmailMessage]) -> None:
    client.cookies[COOKIE] = "a" * 32

    client.post("/sign-in/", {"email": "ana@example.org"})

    assert key_in(client) != "a" * 32


def test_what_a_stranger_left_in_the_session_is_not_the_persons(
    mailoutbox: list[EmailMessage],
) -> None:
    browser = Client()
    sign_in(browser, mailoutbox, "first@example.org")
    session = browser.session
    session["left_behind"] = "by the first"
    session.save()
    browser.post("/sign-out/")

    sign_in(browser, mailoutbox, "second@example.org")

    assert "left_behind" not in browser.session


def test_the_token_of_forms_changes_with_who_signs_in(mailoutbox: list[EmailMessage]) -> None:
    browser = Client(enforce_csrf_checks=True)

    def token() -> str:
        return str(browser.cookies[settings.CSRF_COOKIE_NAME].value)

    browser.get("/sign-in/")
    before = token()
    browser.post("/sign-in/", {"email": "ana@example.org", "csrfmiddlewaretoken": before})
    code = re.findall(r"\b\d{6}\b", str(mailoutbox[-1].body))[0]
    browser.post("/sign-in/code/", {"code": code, "csrfmiddlewaretoken": before})

    assert token() != before
    refused = browser.post("/account/", {"name": "Eve", "csrfmiddlewaretoken": before})
    assert refused.status_code == 403


# --- The end -------------------------------------------------------------------------------------


def test_a_key_opens_nothing_after_signing_out(signed_in: Client) -> None:
    key = key_in(signed_in)
    signed_in.post("/sign-out/")
    thief = Client()
    thief.cookies[COOKIE] = key

    assert thief.get("/account/").status_code == 302


def test_signing_out_everywhere_ends_every_browser(user: User) -> None:
    browsers = [Client() for _number in range(3)]
    for browser in browsers:
        browser.force_login(user)

    sign_out_everywhere(user=user)

    assert {browser.get("/account/").status_code for browser in browsers} == {302}


def test_a_session_ends_by_itself(signed_in: Client) -> None:
    later = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE + 1)

    with time_machine.travel(later, tick=False):
        answer = signed_in.get("/account/")

    assert answer.status_code == 302


def test_a_closed_or_deleted_account_ends_its_browsers(user: User) -> None:
    closed, deleted = Client(), Client()
    other = make_user()
    closed.force_login(user)
    deleted.force_login(other)
    User.objects.filter(pk=user.pk).update(is_active=False)

    close_account(other)

    assert closed.get("/account/").status_code == 302
    assert deleted.get("/account/").status_code == 302


def test_losing_the_rights_ends_the_admin_at_once() -> None:
    operator = make_user(is_staff=True)
    browser = verified_browser(operator)
    assert browser.get("/admin/").status_code == 200

    User.objects.filter(pk=operator.pk).update(is_staff=False)

    assert browser.get("/admin/").status_code == 302


# --- Cookies -------------------------------------------------------------------------------------


def test_scripts_and_other_sites_get_no_cookie(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    client.get("/sign-in/")
    sign_in(client, mailoutbox)

    for name in (COOKIE, settings.CSRF_COOKIE_NAME):
        cookie = client.cookies[name]
        assert cookie["httponly"] is True
        assert cookie["samesite"] == "Lax"
        assert cookie["path"] == "/"
        assert cookie["domain"] == ""


# --- Doors ---------------------------------------------------------------------------------------


def test_a_token_of_an_agent_is_no_session(space: Space, client: Client) -> None:
    secret = key_of(space)
    client.cookies[COOKIE] = secret

    answer = client.get("/account/", headers={"authorization": f"Bearer {secret}"})

    assert answer.status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_session_is_no_token_of_an_agent() -> None:
    space = make_space()
    browser = Client()
    browser.force_login(space.owner)

    async def post() -> int:
        async with web(cookie=f"{COOKIE}={key_in(browser)}") as http:
            answer = await http.post(
                f"/mcp/{space.pk}", content=rpc("tools/list"), headers=POST_HEADERS
            )
            return answer.status_code

    assert async_to_sync(post)() == 401


@pytest.mark.django_db(transaction=True)
def test_a_key_of_a_session_is_no_bearer_token() -> None:
    space = make_space()
    browser = Client()
    browser.force_login(space.owner)

    async def post() -> int:
        async with web(key_in(browser)) as http:
            answer = await http.post(
                f"/mcp/{space.pk}", content=rpc("tools/list"), headers=POST_HEADERS
            )
            return answer.status_code

    assert async_to_sync(post)() == 401


def test_nobody_chooses_the_id_or_secret_of_a_client(client: Client) -> None:
    wanted = {
        "client_name": "Planted",
        "redirect_uris": ["http://127.0.0.1/callback"],
        "client_id": "chosen-by-me",
        "client_secret": "chosen-by-me",
        "registration_access_token": "chosen-by-me",
    }

    answer = client.post("/register", wanted, content_type="application/json").json()

    assert answer["client_id"] != "chosen-by-me"
    assert answer.get("client_secret") != "chosen-by-me"
    assert answer.get("registration_access_token") != "chosen-by-me"
