from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from oauth2_provider.models import AccessToken, RefreshToken
from time_machine import TimeMachineFixture

from accounts.models import User
from mcp_gateway.oauth.bearer import BearerError, authenticate
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.oauth.flow import (
    answers,
    browser_of,
    connected,
    consent,
    registered,
    revoke,
    sent_back,
)
from tests.races import at_once


def opens(token: object, space: Space) -> bool:
    try:
        authenticate(str(token), space.pk)
    except BearerError:
        return False
    return True


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("trial", range(4))
def test_four_sessions_that_refresh_at_once_all_go_on(trial: int) -> None:
    space, app = make_space(), registered()
    refresh_token = str(connected(app, space)["refresh_token"])

    together = answers(at_once(partial(app.refresh, refresh_token), times=4))

    bodies = [answer.json() for answer in together]
    assert [answer.status_code for answer in together] == [200] * 4, bodies
    assert all(opens(body["access_token"], space) for body in bodies)
    assert len({body["refresh_token"] for body in bodies}) == 4
    later = [app.refresh(body["refresh_token"]) for body in bodies]
    assert [answer.status_code for answer in later] == [200] * 4


@pytest.mark.django_db(transaction=True)
def test_a_code_that_is_sent_twice_at_once_gives_tokens_once() -> None:
    space, app = make_space(), registered()
    url = app.authorize_url(resource=space.mcp_url)
    code = sent_back(consent(browser_of(space.owner), url))["code"]

    together = answers(at_once(partial(app.exchange, code), times=4))

    assert sorted(answer.status_code for answer in together) == [200, 400, 400, 400]
    assert AccessToken.objects.filter(user=space.owner).count() == 1


def test_a_session_that_comes_late_but_in_time_gets_its_own_tokens(space: Space) -> None:
    app = registered()
    old = str(connected(app, space)["refresh_token"])

    first, second = app.refresh(old).json(), app.refresh(old).json()

    assert opens(first["access_token"], space)
    assert opens(second["access_token"], space)
    assert first["scope"] == second["scope"] == "auth:read auth:write"
    assert RefreshToken.objects.values("token_family").distinct().count() == 1


def test_replaying_an_old_token_ends_the_whole_family(
    space: Space, time_machine: TimeMachineFixture
) -> None:
    app = registered()
    old = str(connected(app, space)["refresh_token"])
    first, sibling = app.refresh(old).json(), app.refresh(old).json()
    time_machine.move_to(timezone.now() + timedelta(seconds=61), tick=False)

    replayed = app.refresh(old)

    assert replayed.status_code == 400
    assert replayed.json()["error"] == "invalid_grant"
    for pair in (first, sibling):
        assert not opens(pair["access_token"], space)
        assert app.refresh(pair["refresh_token"]).status_code == 400


def test_a_token_that_was_signed_out_has_no_grace(space: Space) -> None:
    app = registered()
    tokens = connected(app, space)
    revoke(app, tokens["refresh_token"])

    answer = app.refresh(str(tokens["refresh_token"]))

    assert answer.status_code == 400
    assert not opens(tokens["access_token"], space)


def test_signing_out_one_session_signs_out_its_siblings(space: Space) -> None:
    app = registered()
    old = str(connected(app, space)["refresh_token"])
    first, sibling = app.refresh(old).json(), app.refresh(old).json()

    answer = revoke(app, first["access_token"])

    assert answer.status_code == 200
    assert not opens(first["access_token"], space)
    assert not opens(sibling["access_token"], space)
    assert app.refresh(sibling["refresh_token"]).status_code == 400


def test_nobody_revokes_the_tokens_of_another_app(space: Space) -> None:
    app, other = registered(), registered()
    tokens = connected(app, space)

    answer = revoke(other, tokens["refresh_token"])

    assert answer.status_code == 200
    assert opens(tokens["access_token"], space)


def test_nobody_refreshes_with_the_token_of_another_app(space: Space) -> None:
    app, other = registered(), registered()
    tokens = connected(app, space)

    answer = other.refresh(str(tokens["refresh_token"]))

    assert answer.json()["error"] == "invalid_grant"
    assert app.refresh(str(tokens["refresh_token"])).status_code == 200


def test_a_refresh_for_another_space_is_an_invalid_target(user: User, space: Space) -> None:
    app, other, foreign = registered(), make_space(owner=user), make_space()
    tokens = connected(app, space)

    refused = [
        app.refresh(str(tokens["refresh_token"]), resource=each)
        for each in (other.mcp_url, foreign.mcp_url, "https://evil.example/x", "nonsense")
    ]

    assert [answer.status_code for answer in refused] == [400] * 4
    assert {answer.json()["error"] for answer in refused} == {"invalid_target"}
    again = app.refresh(str(tokens["refresh_token"]), resource=space.mcp_url + "/")
    assert again.status_code == 200


def test_a_refresh_can_narrow_but_not_widen_what_was_granted(space: Space) -> None:
    app = registered()
    granted = connected(app, space, access="read")

    wider = app.refresh(str(granted["refresh_token"]), scope="auth:read auth:write offline_access")

    assert wider.json()["scope"] == "auth:read"


def test_parameters_named_like_fields_of_the_server_change_nothing(space: Space) -> None:
    app = registered()
    tokens = connected(app, space)

    answer = app.refresh(
        str(tokens["refresh_token"]), superseded_by="x", refresh_token_instance="x", user="x"
    )

    assert answer.status_code == 200
    assert opens(answer.json()["access_token"], space)


def test_an_idle_refresh_token_expires(space: Space, time_machine: TimeMachineFixture) -> None:
    app = registered()
    tokens = connected(app, space)
    time_machine.move_to(timezone.now() + timedelta(days=61), tick=False)

    assert app.refresh(str(tokens["refresh_token"])).json()["error"] == "invalid_grant"
