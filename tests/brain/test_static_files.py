"""Static files leave as the server sends: in the event loop without a warning, else as ever."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import AsyncClient, Client

ICON = "/static/brain/favicon.svg"
WRITTEN = (Path(settings.BASE_DIR) / "brain" / "static" / "brain" / "favicon.svg").read_bytes()


async def test_in_the_event_loop_a_file_is_sent_piece_by_piece(async_client: AsyncClient) -> None:
    answer: Any = await async_client.get(ICON)

    # Django warns of a body that has to be read in full first, and here a warning is an error.
    assert b"".join([piece async for piece in answer]) == WRITTEN
    assert answer["Content-Length"] == str(len(WRITTEN))


async def test_what_the_browser_has_is_not_sent_again(async_client: AsyncClient) -> None:
    first = await async_client.get(ICON)
    first.close()

    since = {"if-modified-since": first["Last-Modified"]}
    again = await async_client.get(ICON, headers=since)

    assert again.status_code == 304


@pytest.mark.parametrize("method", ["get", "head"])
def test_a_server_with_threads_gets_the_same(client: Client, method: str) -> None:
    answer = getattr(client, method)(ICON)

    assert b"".join(answer.streaming_content) == (WRITTEN if method == "get" else b"")
    assert answer["Content-Type"] == "image/svg+xml"
