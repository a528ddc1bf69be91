"""`manage.py make_operator`."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import BrowserSession, User
from accounts.services.second_factor import has_second_factor
from tests.factories import make_user
from tests.operators import verified_browser

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("make_operator", *arguments, stdout=out)
    return out.getvalue()


def test_a_new_address_becomes_an_operator_without_a_password() -> None:
    said = run("Root@Example.org")

    user = User.objects.get()
    assert (user.email, user.is_staff, user.is_superuser) == ("root@example.org", True, True)
    assert not user.has_usable_password()
    assert "Set-up code: " in said
    assert "/admin/" in said


def test_running_it_again_ends_the_second_factor_that_was_there() -> None:
    operator = make_user("root@example.org", is_staff=True)
    browser = verified_browser(operator)

    run("root@example.org")

    assert not has_second_factor(operator)
    assert browser.get("/admin/").status_code == 302


def test_an_operator_is_removed_and_signed_out() -> None:
    operator = make_user("root@example.org", is_staff=True, is_superuser=True)
    verified_browser(operator)

    said = run("root@example.org", "--remove")

    operator.refresh_from_db()
    assert (operator.is_staff, operator.is_superuser) == (False, False)
    assert not has_second_factor(operator)
    assert not BrowserSession.objects.exists()
    assert "no operator now" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody@example.org", "--remove"], "Nobody has the address"),
        (["not an address"], "not an e-mail address"),
    ],
    ids=["unknown", "broken"],
)
def test_a_wrong_address_is_refused_with_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*arguments)

    assert not User.objects.exists()
