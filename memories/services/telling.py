"""Tell open pages that something of a space changed: what, never how it looks now."""

import asyncio
import threading
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


class _Loops(threading.local):
    """The event loop of each thread that sends, kept: its connection to Valkey lives with it."""

    runner: asyncio.Runner | None = None


_loops = _Loops()


def _send(space_id: UUID, topic: Topic) -> None:
    message = {"type": "space.changed", "topic": topic}
    # Not async_to_sync: its threads are gone when a command that ends still has hints to send.
    runner = _loops.runner or asyncio.Runner()
    # One that failed is not used again: the next hint opens a connection of its own.
    _loops.runner = None
    try:
        runner.run(get_channel_layer().group_send(group_of(space_id), message))
    except BaseException:
        runner.close()
        raise
    _loops.runner = runner
