from datetime import timedelta

from django.utils import timezone
from oauth2_provider.models import AccessToken, RefreshToken
from time_machine import TimeMachineFixture

from mcp_gateway.models import Application
from mcp_gateway.tasks import clear_oauth
from spaces.models import Space
from tests.mcp_gateway.oauth.flow import connected, registered


def test_apps_that_never_came_back_are_cleared(
    space: Space, time_machine: TimeMachineFixture
) -> None:
    registered(client_name="never came back")
    connected(registered(client_name="let in"), space)
    Application.objects.create(
        name="made by an operator",
        client_type=Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
    )
    time_machine.move_to(timezone.now() + timedelta(days=1, seconds=1), tick=False)
    registered(client_name="just registered")

    clear_oauth()

    left = set(Application.objects.values_list("name", flat=True))
    assert left == {"let in", "made by an operator", "just registered"}


def test_tokens_that_can_not_be_renewed_any_more_are_cleared(
    space: Space, time_machine: TimeMachineFixture
) -> None:
    app = registered()
    connected(app, space)
    time_machine.move_to(timezone.now() + timedelta(days=2), tick=False)
    clear_oauth()
    assert RefreshToken.objects.count() == 1
    time_machine.move_to(timezone.now() + timedelta(days=61), tick=False)

    clear_oauth()

    assert not RefreshToken.objects.exists()
    assert not AccessToken.objects.filter(user__isnull=False).exists()


def test_clearing_twice_is_harmless(space: Space) -> None:
    connected(registered(), space)

    clear_oauth()
    clear_oauth()

    assert Application.objects.count() == 1
