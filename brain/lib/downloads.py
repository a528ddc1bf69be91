"""Files that were written first and are sent then, so that a slow line holds nothing open."""

import os
from collections.abc import AsyncIterator, Iterator
from typing import IO

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

_PIECE = 64 * 1024


def as_download(
    request: HttpRequest, file: IO[bytes], *, name: str, kind: str
) -> StreamingHttpResponse:
    """Send the whole file with its length, and close it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    response = StreamingHttpResponse(in_pieces(request, file), content_type=kind)
    response["Content-Length"] = str(size)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def in_pieces(request: HttpRequest, file: IO[bytes]) -> Iterator[bytes] | AsyncIterator[bytes]:
    """Read the file as the server sends it, in threads or in the event loop, and close it.

    Given the other way, Django reads all of it into memory and warns.
    """
    return _async_pieces(file) if isinstance(request, ASGIRequest) else _pieces(file)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece


async def _async_pieces(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while piece := await sync_to_async(file.read)(_PIECE):
            yield piece
