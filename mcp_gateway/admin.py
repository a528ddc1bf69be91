"""What operators see of agents: who may connect, never a secret."""

import contextlib
from typing import Generic, TypeVar
from uuid import UUID

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from oauth2_provider.models import AccessToken, Grant, IDToken, RefreshToken
from typing_extensions import override

from mcp_gateway.models import ApiKey, Application, Connection
from spaces.isolation import inside

M = TypeVar("M", bound=Model)

# Tokens and codes are the people's; whoever runs the server has no business with single ones.
admin.site.unregister([AccessToken, Grant, IDToken, RefreshToken])
# The toolkit's own page for apps also shows their secrets and lets one skip the consent.
admin.site.unregister(Application)


@admin.register(Application)
class ApplicationAdmin(admin.ModelAdmin[Application]):
    """Apps that registered; withdrawing one ends its access everywhere."""

    list_display = ["name", "registration_source", "client_type", "created", "last_used_at"]
    list_filter = ["registration_source", "client_type"]
    search_fields = ["name", "client_id", "redirect_uris"]
    fields = [
        "name",
        "client_id",
        "client_type",
        "redirect_uris",
        "registration_source",
        "created",
        "last_used_at",
    ]
    readonly_fields = ["client_id", "client_type", "registration_source", "created", "last_used_at"]

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        """Apps register by themselves."""
        return False


class OneSpaceAdmin(admin.ModelAdmin[M], Generic[M]):
    """A list of rows that exist only inside their space: the search names the space."""

    search_fields = ["space__id"]
    search_help_text = "The id of a space, as in its MCP address."
    list_display_links = None

    @override
    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Render the list inside the space, where its rows can be seen."""
        with contextlib.ExitStack() as stack:
            if space_id := _space_id(request.GET.get("q", "")):
                stack.enter_context(inside(space_id))
            response = super().changelist_view(request, extra_context)
            return response.render() if isinstance(response, TemplateResponse) else response

    @override
    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[M], search_term: str
    ) -> tuple[QuerySet[M], bool]:
        """Find the space's rows; anything but an id finds none."""
        space_id = _space_id(search_term)
        return (queryset.filter(space_id=space_id) if space_id else queryset.none()), False

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @override
    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False


@admin.register(ApiKey)
class ApiKeyAdmin(OneSpaceAdmin[ApiKey]):
    list_display = ["label", "scopes", "created_at", "expires_at", "revoked_at", "last_used_at"]


@admin.register(Connection)
class ConnectionAdmin(OneSpaceAdmin[Connection]):
    list_display = [
        "client_name",
        "client_key",
        "last_used_at",
        "last_saved_at",
        "last_searched_at",
        "last_error_at",
        "last_error_code",
    ]


def _space_id(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None
