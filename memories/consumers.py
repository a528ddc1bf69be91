"""The websocket of one space: says what changed, never how it looks."""

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.conf import settings
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.actors import Actor
from accounts.models import BrowserSession, User
from brain.lib.errors import NotFoundError
from memories.services.telling import group_of
from spaces.access import readable_space

logger = logging.getLogger(__name__)

# RFC 6455, 7.4.2: 4000 to 4999 are the application's own.
NO_SUCH_SPACE = 4404
TRY_AGAIN_LATER = 1013
CHECKS_EVERY = 10.0


class SpaceConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # Channels is untyped
    """Tells the pages of one person about one space; a stranger hears that there is none."""

    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
    ) -> None:
        try:
            await super().__call__(scope, receive, send)
        except (RedisError, OSError) as error:
            # Pages work without it, and open it again by themselves.
            logger.warning("A live page lost Valkey: %s.", type(error).__name__)
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})

    async def connect(self) -> None:
        self.space_id: UUID = self.scope["url_route"]["kwargs"]["space_id"]
        self.checked_at = time.monotonic()
        # Only a socket that was accepted can tell a browser why it closes.
        await self.accept()
        if is_same_origin(self.scope) and await self._may_listen():
            await self.channel_layer.group_add(group_of(self.space_id), self.channel_name)
            await self.send_json({"listening": True})
        else:
            await self.close(NO_SUCH_SPACE)

    async def disconnect(self, code: int) -> None:  # noqa: ARG002  named by Channels
        with suppress(RedisError, OSError):
            await self.channel_layer.group_discard(group_of(self.space_id), self.channel_name)

    async def receive(self, **_: object) -> None:
        """Ignore what a page sends, unread: it has nothing to say here."""

    async def space_changed(self, event: dict[str, str]) -> None:
        """Pass a hint on, as long as this browser is signed in and the space is theirs."""
        now = time.monotonic()
        if now - self.checked_at >= CHECKS_EVERY:
            self.checked_at = now
            if not await self._may_listen():
                await self.close(NO_SUCH_SPACE)
                return
        await self.send_json({"changed": event["topic"]})

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _may_listen(self) -> bool:
        # Asked anew each time: the person may have signed out, or given the space away.
        session = BrowserSession.objects.filter(
            session_key=self.scope["session"].session_key, expire_date__gt=timezone.now()
        ).select_related("user")
        user = self.scope["user"]
        row = session.first() if isinstance(user, User) else None
        if row is None or row.user is None or row.user.pk != user.pk:
            return False
        try:
            readable_space(self.space_id, Actor(row.user, "dashboard"))
        except NotFoundError:
            return False
        return True


def is_same_origin(scope: dict[str, Any]) -> bool:
    """Say whether a page of this server asks: cookies know no port, so a host is not enough."""
    headers = {name: value.decode("latin1") for name, value in scope["headers"]}
    origin = headers.get(b"origin", "")
    is_asked_host: bool = urlsplit(origin).netloc == headers.get(b"host")
    return is_asked_host or origin == settings.PUBLIC_URL
