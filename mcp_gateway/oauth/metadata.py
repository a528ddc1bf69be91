"""Where clients find out how to sign in (RFC 8414) and for what (RFC 9728)."""

from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from oauth2_provider.views import OAuthProtectedResourceMetadataView, OAuthServerMetadataView
from typing_extensions import override

from mcp_gateway.oauth.cors import CorsMixin, opened
from mcp_gateway.oauth.resources import resource_of


class ServerMetadataView(CorsMixin, OAuthServerMetadataView):  # type: ignore[misc]
    """The metadata of the authorisation server."""

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        return opened(super().dispatch(request, *args, **kwargs))


class SpaceMetadataView(CorsMixin, OAuthProtectedResourceMetadataView):  # type: ignore[misc]
    """The metadata of a space's address.

    Answers for every id that could be one, so that it does not tell which spaces exist.
    """

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        return opened(super().dispatch(request, *args, **kwargs))

    @override
    def get_resource(self, request: HttpRequest) -> str:
        space_id = self.kwargs["space_id"]
        assert isinstance(space_id, UUID)
        return resource_of(space_id)

    @override
    def get_authorization_servers(self, request: HttpRequest) -> list[str]:
        return [settings.PUBLIC_URL]

    @override
    def get_resource_name(self) -> str:
        return "Agents Brain"


def no_metadata(_request: HttpRequest) -> JsonResponse:
    """Refuse to speak for the whole host: clients that ask here first compare strictly."""
    response = JsonResponse({"error": "not_found"}, status=404)
    opened(response)
    return response
