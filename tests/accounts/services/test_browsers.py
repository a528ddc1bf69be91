"""The browsers of a person, and signing them out."""

from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import BrowserSession, User
from accounts.services.browsers import sign_out_browser, sign_out_everywhere, signed_in_browsers
from brain.lib.errors import NotFoundError
from tests.factories import make_user


def browser_of(user: User) -> str:
    """Sign `user` in with a new browser and return its session key."""
    client = Client()
    client.force_login(user)
    key = client.session.session_key
    assert key is not None
    return key


def test_a_person_sees_their_own_browsers_only(user: User) -> None:
    keys = {browser_of(user), browser_of(user)}
    browser_of(make_user())

    assert {row.session_key for row in signed_in_browsers(user)} == keys


def test_signing_out_one_browser_leaves_the_others(user: User) -> None:
    gone, kept = browser_of(user), browser_of(user)

    sign_out_browser(user=user, public_id=BrowserSession.objects.get(pk=gone).public_id)

    assert [row.session_key for row in signed_in_browsers(user)] == [kept]


def test_a_browser_of_somebody_else_does_not_exist(user: User) -> None:
    other = BrowserSession.objects.get(pk=browser_of(make_user()))

    for public_id in (other.public_id, uuid4()):
        with pytest.raises(NotFoundError):
            sign_out_browser(user=user, public_id=public_id)
    assert BrowserSession.objects.filter(pk=other.pk).exists()


def test_signing_out_everywhere_can_leave_this_browser(user: User) -> None:
    this = browser_of(user)
    for _ in range(3):
        browser_of(user)
    stranger = browser_of(make_user())

    ended = sign_out_everywhere(user=user, except_key=this)

    assert ended == 3
    assert set(BrowserSession.objects.values_list("pk", flat=True)) == {this, stranger}


def test_signing_out_everywhere_means_everywhere(user: User) -> None:
    for _ in range(2):
        browser_of(user)

    assert sign_out_everywhere(user=user) == 2
    assert signed_in_browsers(user) == []
