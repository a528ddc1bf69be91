"""The made-up agents of a demonstration: apps that were let in, and a key."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from oauth2_provider.models import AccessToken, RefreshToken

from accounts.actors import Actor
from mcp_gateway.models import ApiKey, Application, Connection
from mcp_gateway.oauth.resources import resource_of
from mcp_gateway.scopes import ALL
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from spaces.isolation import inside
from spaces.models import Space

APPS = {"claude": "Claude Code", "chat": "ChatGPT", "cursor": "Cursor", "codex": "Codex"}
INSTANCES = {"claude": "maya-laptop", "cursor": "maya-laptop", "codex": "build-box"}
KEY = "Nightly checks"


@dataclass(frozen=True, slots=True)
class Agent:
    """An app or a key as the history names it."""

    client_key: str
    name: str


def connected_agents(space: Space, *, now: datetime) -> Callable[[str], Actor]:
    """Let the apps in and make a key; return who acts under which of their short names.

    Nobody has their tokens: they are random and shown to nobody.
    """
    agents = {short: _let_in(space, short, name, now=now) for short, name in APPS.items()}
    agents["script"] = _key(space, now=now)
    _connect(space, agents, now=now)

    def cast(who: str) -> Actor:
        short, _, instance = who.partition("@")
        if short == "me":
            return Actor(space.owner, "dashboard")
        return Actor(
            space.owner,
            "mcp",
            client_key=agents[short].client_key,
            client_name=agents[short].name,
            agent_instance=instance or INSTANCES.get(short, ""),
        )

    return cast


def _let_in(space: Space, short: str, name: str, *, now: datetime) -> Agent:
    app, _ = Application.objects.get_or_create(
        client_id=f"demo-{short}",
        defaults={
            "name": name,
            "client_type": Application.CLIENT_PUBLIC,
            "client_secret": "",
            "authorization_grant_type": Application.GRANT_AUTHORIZATION_CODE,
            "redirect_uris": "http://127.0.0.1/callback",
            "last_used_at": now,
        },
    )
    token = AccessToken.objects.create(
        user=space.owner,
        application=app,
        token=secrets.token_urlsafe(32),
        expires=now + timedelta(hours=1),
        scope=" ".join(ALL),
        resource=[resource_of(space.pk)],
    )
    RefreshToken.objects.create(
        user=space.owner,
        application=app,
        access_token=token,
        token=secrets.token_urlsafe(32),
        resource=[resource_of(space.pk)],
    )
    return Agent(f"app:{app.pk}", name)


def _key(space: Space, *, now: datetime) -> Agent:
    details = KeyDetails(ALL, label=KEY)
    key = create_api_key(space=space, actor=Actor(space.owner, "command"), details=details).key
    with inside(space):
        ApiKey.objects.filter(pk=key.pk).update(
            created_at=now - timedelta(days=210), last_used_at=now - timedelta(hours=7)
        )
    return Agent(key.client_key, KEY)


def _connect(space: Space, agents: Mapping[str, Agent], *, now: datetime) -> None:
    with inside(space):
        Connection.objects.bulk_create(
            Connection(
                space=space,
                client_key=agent.client_key,
                client_name=agent.name,
                first_seen_at=now - timedelta(days=237),
                last_used_at=now - timedelta(minutes=7 + 50 * number),
                last_saved_at=now - timedelta(minutes=11 + 50 * number),
                last_searched_at=now - timedelta(minutes=7 + 50 * number),
            )
            for number, agent in enumerate(agents.values())
        )
