"""Browser clients on other origins may use the endpoints that need no cookie."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views import View
from typing_extensions import override


class CorsMixin(View):
    """Answers preflights, and lets any origin read the answers (Fetch, 3.2).

    Without credentials: a cookie never counts here, and none is sent along.
    """

    cors_methods = "GET, OPTIONS"

    @override
    def options(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = HttpResponse(status=204)
        response["Access-Control-Allow-Methods"] = self.cors_methods
        response["Access-Control-Allow-Headers"] = (
            "Authorization, Content-Type, MCP-Protocol-Version"
        )
        response["Access-Control-Max-Age"] = "86400"
        return response


def opened(response: HttpResponseBase) -> HttpResponseBase:
    response["Access-Control-Allow-Origin"] = "*"
    return response


def private(response: HttpResponseBase) -> HttpResponseBase:
    """Keep secrets and errors out of every cache on the way, also old ones (RFC 6749, 5.1)."""
    response["Cache-Control"], response["Pragma"] = "no-store", "no-cache"
    return opened(response)
