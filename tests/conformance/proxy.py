"""Adds the bearer token that the suite has no option for, and changes nothing else.

Bytes go through as they come, since the suite also sends headers that no library would send.
"""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial

Forward = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]
_END = b"\r\n\r\n"


@contextmanager
def with_bearer(port: int, token: str) -> Iterator[int]:
    """Listen on a port of its own, and yield it, in front of the one that is given."""
    listening = socket.create_server(("127.0.0.1", 0))
    front = int(listening.getsockname()[1])
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    serving = _serve(listening, stop, partial(_forward, port=port, token=token))
    thread = threading.Thread(target=lambda: _run(serving, loop))
    thread.start()
    try:
        yield front
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


def _run(serving: Coroutine[None, None, None], loop: asyncio.AbstractEventLoop) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(serving)


async def _serve(listening: socket.socket, stop: asyncio.Event, forward: Forward) -> None:
    # The loop itself holds tasks only weakly (Python documentation, asyncio.create_task).
    running: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(forward(reader, writer))
        running.add(task)
        task.add_done_callback(running.discard)

    server = await asyncio.start_server(accept, sock=listening)
    await stop.wait()
    server.close()


async def _forward(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, port: int, token: str
) -> None:
    try:
        head = await reader.readuntil(_END)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
        return
    first, *lines = head.removesuffix(_END).split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith((b"connection:", b"authoriz"))]
    # One request a connection, so that no body has to be understood here.
    added = [b"Connection: close", b"Authorization: Bearer " + token.encode()]
    upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", port)
    upstream_writer.write(b"\r\n".join([first, *kept, *added]) + _END)
    sending = asyncio.create_task(_pipe(reader, upstream_writer))
    try:
        await _pipe(upstream_reader, writer)
    finally:
        sending.cancel()
        upstream_writer.close()
        writer.close()
        await asyncio.gather(sending, return_exceptions=True)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while some := await reader.read(65536):
            writer.write(some)
            await writer.drain()
    except ConnectionError:
        return
