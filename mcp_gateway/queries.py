"""Connected agents: which apps and keys open which space."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from oauth2_provider.models import AccessToken

from accounts.models import User
from mcp_gateway.models import ApiKey, Application, Connection
from mcp_gateway.oauth.resources import resource_of
from mcp_gateway.scopes import WRITE, known
from spaces.agents import Agent
from spaces.isolation import inside
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """An app that a person let into a space; `use` is empty until its first call."""

    application: Application
    space: Space
    scopes: tuple[str, ...]
    connected_at: datetime
    use: Connection | None

    @property
    def may_write(self) -> bool:
        return WRITE in self.scopes


def connected_apps(user: User, *, spaces: Iterable[Space]) -> list[ConnectedApp]:
    """Return what each of these spaces of the person is open to, by the name of the app."""
    by_resource = {resource_of(space.pk): space for space in spaces}
    uses = {space.pk: _uses(space) for space in by_resource.values()}
    found: dict[tuple[str, int], ConnectedApp] = {}
    for token in _live_tokens(user):
        resource = token.resource[0] if len(token.resource) == 1 else ""
        space = by_resource.get(resource)
        if space is None:
            continue
        key = (resource, token.application_id)
        use = uses[space.pk].get(f"app:{token.application_id}")
        found[key] = _merged(found.get(key), token, space=space, use=use)
    return sorted(
        found.values(), key=lambda app: (app.application.name.casefold(), app.space.name.casefold())
    )


def _live_tokens(user: User) -> Iterable[AccessToken]:
    """Return tokens that work, or that the app can still renew."""
    works = Q(expires__gt=timezone.now())
    renewable = Q(refresh_token__isnull=False, refresh_token__revoked=None)
    tokens: Iterable[AccessToken] = (
        AccessToken.objects.select_related("application")
        .filter(works | renewable, user=user, application__isnull=False)
        .order_by("created")
    )
    return tokens


def _merged(
    earlier: ConnectedApp | None, token: AccessToken, *, space: Space, use: Connection | None
) -> ConnectedApp:
    """Add a token to what is known of its app: several sessions are one connection."""
    scopes = known([*token.scope.split(), *(earlier.scopes if earlier else ())])
    first = earlier.connected_at if earlier else token.created
    if use is not None:
        first = min(first, use.first_seen_at)
    return ConnectedApp(token.application, space, tuple(scopes), first, use)


def _uses(space: Space) -> dict[str, Connection]:
    with inside(space):
        return {use.client_key: use for use in Connection.objects.filter(space=space)}


@dataclass(frozen=True, slots=True)
class ListedKey:
    """A key as its page shows it; `use` is empty until its first call."""

    key: ApiKey
    is_live: bool
    may_write: bool
    use: Connection | None = None


def keys_of(space: Space) -> list[ListedKey]:
    """Return the keys of a space, those that work first, the newest first among them."""
    now = timezone.now()
    uses = _uses(space)
    with inside(space):
        keys = list(ApiKey.objects.filter(space=space).order_by("-created_at"))
    listed = [
        ListedKey(key, key.is_live(now=now), WRITE in key.scopes, uses.get(key.client_key))
        for key in keys
    ]
    return sorted(listed, key=lambda each: not each.is_live)


def agents_of_space(space: Space) -> list[Agent]:
    """Return what may use the space now: apps by name, then keys, the newest first."""
    apps = [agent_of_app(app) for app in connected_apps(space.owner, spaces=[space])]
    return apps + [_agent_of_key(listed) for listed in keys_of(space) if listed.is_live]


def agent_of_app(app: ConnectedApp) -> Agent:
    place = [app.space.pk, app.application.pk]
    return Agent(
        name=app.application.name,
        is_key=False,
        may_write=app.may_write,
        connected_at=app.connected_at,
        end_url=reverse("mcp_gateway:disconnect", args=place),
        **_deeds(app.use),
    )


def _agent_of_key(listed: ListedKey) -> Agent:
    key = listed.key
    return Agent(
        name=key.label,
        is_key=True,
        may_write=listed.may_write,
        connected_at=key.created_at,
        end_url=reverse("mcp_gateway:revoke-key", args=[key.space_id, key.pk]),
        expires_at=key.expires_at,
        **_deeds(listed.use),
    )


def _deeds(use: Connection | None) -> dict[str, Any]:
    names = (
        "last_used_at", "last_saved_at", "last_searched_at", "last_error_at", "last_error_code",
    )  # fmt: skip
    return {name: getattr(use, name) for name in names} if use else {}
