"""The page that asks for the address."""

import re

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.factories import make_user

SIGN_IN = "/sign-in/"
CODE = "/sign-in/code/"


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    pass


def test_the_page_asks_for_an_address(client: Client) -> None:
    response = client.get(SIGN_IN)

    assert response.status_code == 200
    assert 'type="email"' in response.text
    assert "no-store" in response["Cache-Control"]


def test_an_address_gets_a_mail_and_the_page_for_the_code(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    response = client.post(SIGN_IN, {"email": " Ana@Example.org "})

    assert response.status_code == 302
    assert response["Location"] == CODE
    assert mailoutbox[0].to == ["ana@example.org"]
    assert "ana@example.org" in client.get(CODE).text


def test_the_answer_never_says_whether_there_is_an_account(
    mailoutbox: list[EmailMessage],
) -> None:
    make_user("known@example.org")
    make_user("closed@example.org", is_active=False)

    answers = [_answer_to(f"{who}@example.org", who) for who in ("known", "closed", "nobody")]

    assert answers[0] == answers[1] == answers[2]
    assert len(mailoutbox) == 3


def _answer_to(email: str, who: str) -> list[tuple[int, str, str]]:
    browser = Client()
    posted = browser.post(SIGN_IN, {"email": email})
    asked = browser.get(CODE)
    wrong = browser.post(CODE, {"code": "000000"})
    return [
        (answer.status_code, answer.get("Location", ""), _without_tokens(answer.text, who))
        for answer in (posted, asked, wrong)
    ]


def _without_tokens(page: str, who: str) -> str:
    page = re.sub(r'nonce="[^"]+"', "", page)
    lines = page.replace(f"{who}@", "person@").splitlines()
    return "\n".join(line for line in lines if "csrfmiddlewaretoken" not in line)


@pytest.mark.parametrize("email", ["", "ana", "ana@example.org\nBcc: all@example.org", "a" * 400])
def test_what_is_no_address_is_said_on_the_page(
    client: Client, mailoutbox: list[EmailMessage], email: str
) -> None:
    response = client.post(SIGN_IN, {"email": email})

    assert response.status_code == 422
    assert "field-error" in response.text
    assert mailoutbox == []


def test_too_many_codes_are_refused_with_a_time_to_wait(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    for _ in range(5):
        client.post(SIGN_IN, {"email": "ana@example.org"})

    response = client.post(SIGN_IN, {"email": "ana@example.org"})

    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert "Too many codes" in response.text
    assert len(mailoutbox) == 5


def test_who_is_signed_in_goes_on(signed_in: Client) -> None:
    assert signed_in.get(SIGN_IN)["Location"] == reverse("spaces:list")
    assert signed_in.get(f"{SIGN_IN}?next=/account/")["Location"] == "/account/"


def test_next_is_kept_on_the_way_to_the_code(client: Client) -> None:
    wanted = "/authorize?client_id=a&scope=auth:read+auth:write&state=x%3D1"

    page = client.get(SIGN_IN, {"next": wanted})
    response = client.post(SIGN_IN, {"email": "ana@example.org", "next": wanted})
    code_page = client.get(response["Location"])

    escaped = wanted.replace("&", "&amp;")
    assert f'name="next" value="{escaped}"' in page.text
    assert f'name="next" value="{escaped}"' in code_page.text


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example", "\x00/"],
)
def test_next_never_leads_elsewhere(client: Client, elsewhere: str) -> None:
    page = client.get(SIGN_IN, {"next": elsewhere})
    response = client.post(SIGN_IN, {"email": "ana@example.org", "next": elsewhere})

    assert 'name="next"' not in page.text
    assert response["Location"] == CODE


@pytest.mark.parametrize("address", [SIGN_IN, CODE])
def test_pages_of_the_oauth_flow_keep_their_opener_and_may_redirect_after_the_form(
    client: Client, address: str
) -> None:
    client.post(SIGN_IN, {"email": "ana@example.org"})

    for response in (client.get(address), client.post(address, {})):
        assert response.status_code in {200, 422}
        assert response["Cross-Origin-Opener-Policy"] == "unsafe-none"
        policy = response["Content-Security-Policy"]
        assert "form-action" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'none'" in policy


def test_other_pages_stay_closed_to_their_opener(signed_in: Client) -> None:
    response = signed_in.get("/account/")

    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "form-action 'self'" in response["Content-Security-Policy"]


def test_other_methods_are_refused(client: Client) -> None:
    assert client.put(SIGN_IN).status_code == 405
    assert client.delete(SIGN_IN).status_code == 405


def test_a_form_of_another_site_is_refused(mailoutbox: list[EmailMessage]) -> None:
    strict = Client(enforce_csrf_checks=True)

    response = strict.post(SIGN_IN, {"email": "ana@example.org"})

    assert response.status_code == 403
    assert mailoutbox == []
    assert not User.objects.exists()
