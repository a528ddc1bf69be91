"""People in the database."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError

from accounts.addresses import EmailAddressError
from accounts.models import SignInCode, User
from tests.factories import make_user


def test_a_person_is_found_by_any_spelling_of_the_address(db: None) -> None:
    ana = make_user("Ana@Example.org")

    assert User.objects.by_email(" ANA@example.ORG ") == ana
    assert User.objects.by_email("bob@example.org") is None


def test_a_person_is_called_by_name_or_else_by_address() -> None:
    assert str(User(email="ana@example.org")) == "ana@example.org"
    assert str(User(email="ana@example.org", name="Ana")) == "Ana"


def test_a_code_says_nothing_of_itself() -> None:
    code = SignInCode(email="ana@example.org")

    assert str(code) == f"sign-in code {code.pk}"


def test_an_operator_has_no_password_either(db: None) -> None:
    operator = User.objects.create_superuser("root@example.org", password="unused")

    assert (operator.is_staff, operator.is_superuser) == (True, True)
    assert not operator.has_usable_password()


def test_operators_come_from_djangos_own_command(db: None) -> None:
    call_command("createsuperuser", "--noinput", "--email", "Root@Example.org")

    assert User.objects.get(is_superuser=True).email == "root@example.org"


@pytest.mark.parametrize("email", ["Ana@example.org", ""])
def test_the_database_keeps_addresses_in_one_spelling(db: None, email: str) -> None:
    with pytest.raises(IntegrityError, match="account_email_is_in_lower_case"):
        User.objects.create(email=email, password="!")


def test_the_database_keeps_one_account_per_address(user: User) -> None:
    with pytest.raises(IntegrityError, match="one_account_per_email"):
        User.objects.create_user(user.email)


def test_no_account_for_what_is_no_address(db: None) -> None:
    with pytest.raises(EmailAddressError):
        User.objects.create_user("nobody")


def test_the_model_itself_names_a_taken_address(user: User) -> None:
    with pytest.raises(ValidationError):
        User(email=user.email, password="!").full_clean()
