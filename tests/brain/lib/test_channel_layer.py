"""Whoever goes leaves nothing behind that listens, at whichever moment that is."""

import asyncio

import pytest
from channels.layers import channel_layers

from brain.lib.channel_layer import ChannelLayer


def layer() -> ChannelLayer:
    """Return one of its own, which knows no loop of another test."""
    found = channel_layers.make_backend("default")
    assert isinstance(found, ChannelLayer)
    return found


# By then it has connected and asks for the first message.
@pytest.mark.parametrize("steps", range(60))
async def test_a_wait_that_is_cancelled_ends_wherever_it_is(steps: int) -> None:
    channels = layer()
    waiting = asyncio.ensure_future(channels.receive(await channels.new_channel()))
    for _ in range(steps):
        await asyncio.sleep(0)

    waiting.cancel()
    # A wait that lives on asks anew every 5 seconds.
    done, _ = await asyncio.wait([waiting], timeout=4)

    assert done == {waiting}
    assert waiting.cancelled()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await channels.close_pools()


async def test_a_message_comes_through() -> None:
    channels = layer()
    name = await channels.new_channel()

    await channels.send(name, {"type": "space.changed"})

    assert await channels.receive(name) == {"type": "space.changed"}
    await channels.close_pools()


async def test_a_message_for_another_is_not_lost_with_whoever_goes() -> None:
    channels = layer()
    gone, stays = await channels.new_channel(), await channels.new_channel()
    first = asyncio.ensure_future(channels.receive(gone))
    second = asyncio.ensure_future(channels.receive(stays))
    await asyncio.sleep(0.2)

    first.cancel()
    await channels.send(stays, {"type": "space.changed"})

    assert await asyncio.wait_for(second, 10) == {"type": "space.changed"}
    await channels.close_pools()
