"""Static files by WhiteNoise, which knows WSGI, sent as ASGI wants them."""

import io
from typing import Any

from django.http import FileResponse, HttpRequest
from typing_extensions import override
from whitenoise.middleware import WhiteNoiseMiddleware

from brain.lib.downloads import in_pieces


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Answers for a file that it knows; everything else goes on."""

    @staticmethod
    @override
    def serve(static_file: Any, request: HttpRequest) -> FileResponse:
        response: FileResponse = WhiteNoiseMiddleware.serve(static_file, request)
        # Nothing is to be read for 304 and HEAD.
        file = response.file_to_stream or io.BytesIO()
        response.streaming_content = in_pieces(request, file)
        return response
