"""Browser sessions as rows that know whose they are."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.test import Client
from django.utils import timezone

from accounts.models import BrowserSession, User
from accounts.sessions import USER_AGENT_KEY, SessionStore


def saved_session(user: User | None = None, **values: object) -> SessionStore:
    session = SessionStore()
    if user is not None:
        session[SESSION_KEY] = str(user.pk)
    session.update(values)
    session.save()
    return session


def test_a_session_knows_its_person_and_browser(user: User) -> None:
    session = saved_session(user, **{USER_AGENT_KEY: "Firefox/150.0"})

    row = BrowserSession.objects.get()
    assert row.user == user
    assert row.user_agent == "Firefox/150.0"
    assert row.session_key == session.session_key
    assert str(row) == f"browser {row.public_id}"


def test_a_session_of_nobody_has_no_person(db: None) -> None:
    saved_session(colour="blue")

    assert BrowserSession.objects.get().user is None


def test_an_endless_user_agent_is_cut(user: User) -> None:
    saved_session(user, **{USER_AGENT_KEY: "x" * 5000})

    assert BrowserSession.objects.get().user_agent == "x" * 200


def test_saving_again_keeps_age_and_public_id(user: User) -> None:
    session = saved_session(user)
    before = BrowserSession.objects.get()

    session["colour"] = "blue"
    session.save()

    after = BrowserSession.objects.get()
    assert (after.public_id, after.created_at) == (before.public_id, before.created_at)
    assert after.get_decoded()["colour"] == "blue"


def test_what_was_signed_out_meanwhile_is_never_brought_back(user: User) -> None:
    session = saved_session(user)
    BrowserSession.objects.all().delete()

    session["colour"] = "blue"
    with pytest.raises(UpdateError):
        session.save()

    assert not BrowserSession.objects.exists()


def test_an_expired_or_unknown_key_opens_nothing(user: User) -> None:
    session = saved_session(user)
    BrowserSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))

    for key in (session.session_key, "unknown-key-of-some-length"):
        again = SessionStore(key)
        assert again.get(SESSION_KEY) is None
        assert again.session_key is None


@pytest.mark.parametrize(("later", "is_noted"), [(59, False), (61, True)])
def test_last_seen_moves_once_a_minute(user: User, later: int, is_noted: int) -> None:
    started = timezone.now()
    with time_machine.travel(started, tick=False):
        session = saved_session(user)

    moment = started + timedelta(seconds=later)
    with time_machine.travel(moment, tick=False):
        assert SessionStore(session.session_key).get(SESSION_KEY) == str(user.pk)

    seen = BrowserSession.objects.get().last_seen_at
    assert seen == (moment if is_noted else started)


def test_the_session_key_changes_at_sign_in(client: Client, user: User) -> None:
    client.get("/sign-in/")
    planted = saved_session(colour="blue")
    client.cookies["brain_session"] = str(planted.session_key)

    client.force_login(user)

    assert client.session.session_key != planted.session_key
    assert not BrowserSession.objects.filter(pk=planted.session_key).exists()


@pytest.mark.django_db(transaction=True)
async def test_websockets_read_and_write_the_same_rows() -> None:
    session = SessionStore()
    session["colour"] = "blue"
    await session.asave()
    session["colour"] = "green"
    await session.asave()

    again = SessionStore(session.session_key)

    assert await again.aget("colour") == "green"
    assert await BrowserSession.objects.acount() == 1
