from datetime import datetime, timedelta
from functools import partial

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from accounts.actors import Actor
from accounts.models import User
from mcp_gateway.context import Caller
from mcp_gateway.models import ApiKey, Connection
from mcp_gateway.oauth.bearer import BearerError, authenticate
from mcp_gateway.queries import connected_apps
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from mcp_gateway.services.connections import Deed, disconnect_app, record_use
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import close_space
from tests.factories import make_actor, make_space
from tests.mcp_gateway.oauth.flow import (
    App,
    browser_of,
    connected,
    consent,
    registered,
    revoke,
    sent_back,
)
from tests.races import at_once


def make_caller(space: Space, client_key: str = "app:7") -> Caller:
    actor = Actor(space.owner, "mcp", client_key, "Goose")
    return Caller(actor, space, frozenset({"auth:read"}))


def connection_of(space: Space) -> Connection:
    with inside(space):
        return Connection.objects.get()


def test_the_first_use_makes_a_connection(space: Space) -> None:
    record_use(make_caller(space))

    connection = connection_of(space)
    assert connection.client_key == "app:7"
    assert connection.client_name == "Goose"
    assert connection.last_saved_at is None
    assert connection.last_searched_at is None


def test_each_deed_has_its_own_moment(space: Space, time_machine: TimeMachineFixture) -> None:
    start = timezone.now()
    time_machine.move_to(start, tick=False)
    record_use(make_caller(space), deed=Deed.SAVED)
    time_machine.move_to(start + timedelta(seconds=10), tick=False)

    record_use(make_caller(space), deed=Deed.SEARCHED)

    connection = connection_of(space)
    assert connection.last_saved_at == start
    assert connection.last_searched_at == start + timedelta(seconds=10)


def test_a_deed_is_noted_once_a_minute(space: Space, time_machine: TimeMachineFixture) -> None:
    start = timezone.now()

    def saved_after(seconds: int) -> datetime | None:
        time_machine.move_to(start + timedelta(seconds=seconds), tick=False)
        record_use(make_caller(space), deed=Deed.SAVED)
        return connection_of(space).last_saved_at

    assert saved_after(0) == start
    assert saved_after(59) == start
    assert saved_after(60) == start + timedelta(seconds=60)


def test_a_note_that_is_fresh_costs_no_query(
    space: Space,
    time_machine: TimeMachineFixture,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    record_use(make_caller(space), deed=Deed.SAVED)

    with django_assert_num_queries(0):
        record_use(make_caller(space), deed=Deed.SAVED)


def test_an_error_is_noted_with_its_code_and_a_success_leaves_it(
    space: Space, time_machine: TimeMachineFixture
) -> None:
    start = timezone.now()
    time_machine.move_to(start, tick=False)
    record_use(make_caller(space), deed=Deed.SAVED, error_code="too_long")
    record_use(make_caller(space), deed=Deed.SAVED, error_code="too_long")
    record_use(make_caller(space), deed=Deed.SAVED)

    connection = connection_of(space)
    assert connection.last_error_code == "too_long"
    assert connection.last_error_at == start
    assert connection.last_saved_at == start


def test_a_key_remembers_when_it_was_used(space: Space, actor: Actor) -> None:
    secret = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"])).secret

    record_use(authenticate(secret, space.pk))

    with inside(space):
        assert ApiKey.objects.get().last_used_at is not None


@pytest.mark.django_db(transaction=True)
def test_many_first_uses_at_once_make_one_connection() -> None:
    space = make_space()

    at_once(partial(record_use, make_caller(space), deed=Deed.SAVED), times=8)

    assert connection_of(space).last_saved_at is not None


def test_disconnecting_an_app_ends_its_access_to_this_space_only(user: User, space: Space) -> None:
    app, another, other = registered(), registered(), make_space(owner=user)
    here, there = connected(app, space), connected(app, other)
    beside = connected(another, space)
    pending = sent_back(consent(browser_of(user), app.authorize_url(resource=space.mcp_url)))[
        "code"
    ]
    application_id = int(authenticate(str(here["access_token"]), space.pk).actor.client_key[4:])

    assert disconnect_app(space=space, application_id=application_id)

    with pytest.raises(BearerError):
        authenticate(str(here["access_token"]), space.pk)
    assert app.refresh(str(here["refresh_token"])).status_code == 400
    assert app.exchange(pending).status_code == 400
    assert authenticate(str(there["access_token"]), other.pk).space == other
    assert authenticate(str(beside["access_token"]), space.pk).space == space
    assert not disconnect_app(space=space, application_id=application_id)


def test_two_people_with_one_app_do_not_disconnect_each_other(space: Space) -> None:
    app, foreign = registered(), make_space()
    mine, theirs = connected(app, space), connected(app, foreign)
    application_id = int(authenticate(str(mine["access_token"]), space.pk).actor.client_key[4:])

    disconnect_app(space=space, application_id=application_id)

    assert authenticate(str(theirs["access_token"]), foreign.pk).space == foreign


def test_deleting_a_space_deletes_its_tokens_keys_and_connections(user: User, space: Space) -> None:
    app, other = registered(), make_space(owner=user)
    tokens, kept = connected(app, space), connected(app, other)
    secret = create_api_key(
        space=space, actor=make_actor(user), details=KeyDetails(["auth:read"])
    ).secret
    record_use(authenticate(secret, space.pk))

    space_id = space.pk

    close_space(space)

    for value in (str(tokens["access_token"]), secret):
        with pytest.raises(BearerError):
            authenticate(value, space_id)
    assert app.refresh(str(tokens["refresh_token"])).status_code == 400
    assert authenticate(str(kept["access_token"]), other.pk).space == other


@pytest.mark.django_db(transaction=True)
def test_a_space_that_is_deleted_during_a_call_takes_no_notes() -> None:
    space = make_space()
    caller = make_caller(Space.objects.select_related("owner").get(pk=space.pk))
    close_space(space)

    record_use(caller, deed=Deed.SAVED)

    with inside(caller.space):
        assert not Connection.objects.exists()


def test_several_sessions_of_an_app_are_one_connection(user: User, space: Space) -> None:
    app = registered()
    connected(app, space, access="read")
    tokens = connected(app, space)
    record_use(authenticate(str(tokens["access_token"]), space.pk))

    found = connected_apps(user, spaces=[space])

    assert connected_apps(user, spaces=[]) == []
    assert len(found) == 1
    assert found[0].may_write
    assert found[0].application.name == "Goose"
    assert found[0].use is not None


def test_an_app_whose_tokens_are_gone_is_not_connected(
    user: User, space: Space, time_machine: TimeMachineFixture
) -> None:
    app: App = registered()
    tokens = connected(app, space)
    time_machine.move_to(timezone.now() + timedelta(hours=2), tick=False)
    assert connected_apps(user, spaces=[space])

    revoke(app, tokens["refresh_token"])

    assert connected_apps(user, spaces=[space]) == []
