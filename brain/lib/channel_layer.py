"""Channels' layer on Valkey, which lets go of a page at once when the page goes."""

import asyncio
from typing import Any

from channels_redis.core import RedisChannelLayer


class ChannelLayer(RedisChannelLayer):  # type: ignore[misc]  # channels_redis is untyped
    """Waits for messages so that being cancelled always ends the waiting.

    Before Python 3.12 `asyncio.wait_for` may hide a cancellation (CPython issue 86296), and the
    client of Valkey waits with it for every write. Whoever left while a page was still connecting
    would leave behind a task and a connection that listen for ever.
    """

    async def receive(self, channel: str) -> dict[str, Any]:
        """Return the next message for the channel, as RedisChannelLayer does."""
        waiting = asyncio.ensure_future(super().receive(channel))
        try:
            message: dict[str, Any] = await asyncio.shield(waiting)
        except asyncio.CancelledError:
            await _end(waiting)
            raise
        return message


async def _end(task: asyncio.Future[dict[str, Any]]) -> None:
    """Cancel until it has ended, whatever it says then."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.1)
    if not task.cancelled():
        task.exception()
