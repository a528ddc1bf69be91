"""What an account's archive says of the agents that it let in: never a token or a hash."""

from collections.abc import Iterable

from accounts.models import User
from accounts.services.exporting import Part, as_json
from mcp_gateway.models import Connection
from mcp_gateway.queries import connected_apps, keys_of
from spaces.models import Space


def parts_of_account(user: User) -> Iterable[Part]:
    spaces = list(Space.objects.of(user))
    yield as_json(
        "apps.json",
        [
            {
                "app": app.application.name,
                "space": app.space.pk,
                "scopes": app.scopes,
                "connected_at": app.connected_at,
                **_deeds(app.use),
            }
            for app in connected_apps(user, spaces=spaces)
        ],
    )
    yield as_json(
        "keys.json",
        [
            {
                "label": listed.key.label,
                "space": space.pk,
                "scopes": listed.key.scopes,
                "created_at": listed.key.created_at,
                "expires_at": listed.key.expires_at,
                "revoked_at": listed.key.revoked_at,
                **_deeds(listed.use),
            }
            for space in spaces
            for listed in keys_of(space)
        ],
    )


def _deeds(use: Connection | None) -> dict[str, object]:
    names = (
        "last_used_at", "last_saved_at", "last_searched_at", "last_error_at", "last_error_code",
    )  # fmt: skip
    return {name: getattr(use, name, None) for name in names}
