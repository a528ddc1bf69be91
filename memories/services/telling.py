"""Tell open pages that something of a space changed: what, never how it looks now."""

import asyncio
from functools import partial
from typing import Literal
from uuid import UUID

from channels.layers import get_channel_layer

from brain.lib.hints import send_after_commit

Topic = Literal["memories", "review"]


def tell(space_id: UUID, topic: Topic) -> None:
    """Tell it after the commit; a missing Valkey neither fails nor delays the change."""
    send_after_commit(partial(_send, space_id, topic), key=("live", space_id, topic))


def group_of(space_id: UUID) -> str:
    """Return the name under which the open pages of a space listen."""
    return f"space.{space_id}"


def _send(space_id: UUID, topic: Topic) -> None:
    message = {"type": "space.changed", "topic": topic}
    # Not async_to_sync: its threads are gone when a command that ends still has hints to send.
    asyncio.run(get_channel_layer().group_send(group_of(space_id), message))
