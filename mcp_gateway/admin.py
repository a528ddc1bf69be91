"""What operators see of agents: who may connect where, never a secret; and how to end it."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from oauth2_provider.models import AccessToken, Grant, IDToken, RefreshToken
from typing_extensions import override

from accounts.models import User
from brain.lib.read_only_admin import ReadOnlyAdmin
from mcp_gateway.models import ApiKey, Application, Connection
from mcp_gateway.services.api_keys import revoke_api_key
from mcp_gateway.services.connections import disconnect_app
from spaces.models import Space
from spaces.one_space import OneSpaceAdmin

# The toolkit's own pages show codes and tokens, which are the people's.
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


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnlyAdmin[AccessToken]):
    """Which app a person let into which space, until when; the token itself is shown nowhere.

    Single rows stay: ending the access deletes all that belongs together.
    """

    list_display = ["application", "user", "space", "scope", "created", "expires", "renewable"]
    list_select_related = ["application", "user", "refresh_token"]
    list_display_links = None
    list_per_page = 50
    search_fields = ["user__email", "application__name", "resource"]
    ordering = ["-created"]
    show_full_result_count = False
    actions = ["end_access"]

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[AccessToken]:
        """Leave out what a client manages its registration with: it opens no space."""
        return super().get_queryset(request).filter(user__isnull=False)

    @admin.display(description=_("space"))
    def space(self, token: AccessToken) -> str:
        return ", ".join(token.resource)

    @admin.display(description=_("renewable"), boolean=True)
    def renewable(self, token: AccessToken) -> bool:
        """Say whether the app can get another one when this one has expired."""
        refresh = getattr(token, "refresh_token", None)
        return refresh is not None and refresh.revoked is None

    @admin.action(description=_("End this access: the app has to ask again"), permissions=["end"])
    def end_access(self, request: HttpRequest, queryset: QuerySet[AccessToken]) -> None:
        """Take each app's access to the space away, whichever of its tokens was chosen."""
        ended = 0
        for token in queryset.select_related("user"):
            for space in _spaces_of(token):
                ended += disconnect_app(space=space, application_id=token.application_id)
        said = ngettext("%(number)d access was ended.", "%(number)d accesses were ended.", ended)
        self.message_user(request, said % {"number": ended}, messages.SUCCESS)

    def has_end_permission(self, request: HttpRequest) -> bool:
        return _may(request, "oauth2_provider.delete_accesstoken")


def _spaces_of(token: AccessToken) -> list[Space]:
    wanted = set(token.resource)
    return [space for space in Space.objects.filter(owner=token.user) if space.mcp_url in wanted]


def _may(request: HttpRequest, permission: str) -> bool:
    return isinstance(request.user, User) and request.user.has_perm(permission)


@admin.register(ApiKey)
class ApiKeyAdmin(OneSpaceAdmin[ApiKey]):
    list_display = ["label", "scopes", "created_at", "expires_at", "revoked_at", "last_used_at"]
    actions = ["revoke"]

    @admin.action(description=_("Revoke: the key stops working at once"), permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """Close the chosen keys, as their owner could."""
        keys = list(queryset.select_related("space"))
        for key in keys:
            revoke_api_key(space=key.space, key_id=key.pk)
        said = ngettext("%(number)d key was revoked.", "%(number)d keys were revoked.", len(keys))
        self.message_user(request, said % {"number": len(keys)}, messages.SUCCESS)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return _may(request, "mcp_gateway.change_apikey")


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
