"""Deleting an account."""

from functools import partial

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from accounts.actors import Actor
from accounts.models import BrowserSession, SignInCode, User
from accounts.services.closing import WrongAddressError, close_account, delete_account
from accounts.services.signing_in import request_code
from brain.lib.errors import NotFoundError
from spaces.models import Space
from spaces.services.creating import SpaceDetails, create_space
from tests.factories import make_space, make_user
from tests.races import all_at_once


def test_deleting_takes_spaces_browsers_and_codes_along(
    user: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    for _ in range(3):
        make_space(owner=user)
    client.force_login(user)
    request_code(user.email, ip="192.0.2.1", language="en")

    delete_account(user=user, typed_email=f" {user.email.upper()} ")

    assert not User.objects.exists()
    assert not Space.objects.exists()
    assert not BrowserSession.objects.exists()
    assert not SignInCode.objects.exists()


def test_other_accounts_keep_everything(user: User) -> None:
    other = make_space()

    delete_account(user=user, typed_email=user.email)

    assert list(Space.objects.all()) == [other]
    assert list(User.objects.all()) == [other.owner]


@pytest.mark.parametrize("typed", ["", "yes", "somebody.else@example.org"])
def test_another_address_deletes_nothing(user: User, typed: str) -> None:
    space = make_space(owner=user)

    with pytest.raises(WrongAddressError):
        delete_account(user=user, typed_email=typed)

    assert Space.objects.get() == space


@pytest.mark.django_db(transaction=True)
def test_a_space_made_while_the_account_goes_is_not_left_behind() -> None:
    user = make_user()
    make_space(owner=user)

    def create() -> Space:
        return create_space(actor=Actor(user, "dashboard"), details=SpaceDetails("Late"))

    def close() -> None:
        close_account(User.objects.get(pk=user.pk))

    _closed, created = all_at_once([close, create])

    assert isinstance(created, Space | NotFoundError)
    assert not User.objects.exists()
    assert not Space.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_account_deleted_twice_at_once_is_deleted_once() -> None:
    user = make_user()
    make_space(owner=user)
    copies = [User.objects.get(pk=user.pk) for _ in range(4)]

    all_at_once([partial(close_account, copy) for copy in copies])

    assert not User.objects.exists()
    assert not Space.objects.exists()
