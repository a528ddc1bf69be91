"""Addresses of the authorisation server and of the pages about connected agents."""

from django.urls import include, path

from mcp_gateway import views
from mcp_gateway.oauth.consent import ConsentView
from mcp_gateway.oauth.metadata import ServerMetadataView, SpaceMetadataView, no_metadata
from mcp_gateway.oauth.registration import RegistrationManagementView, RegistrationView
from mcp_gateway.oauth.tokens import SpaceRevokeView, SpaceTokenView

# At the root and without a slash at the end, where some clients expect them unasked. The names
# are those that the toolkit looks up.
authorization_server = [
    path("authorize", ConsentView.as_view(), name="authorize"),
    path("token", SpaceTokenView.as_view(), name="token"),
    path("revoke", SpaceRevokeView.as_view(), name="revoke-token"),
    path("register", RegistrationView.as_view(), name="dcr-register"),
    path(
        "register/<str:client_id>",
        RegistrationManagementView.as_view(),
        name="dcr-register-management",
    ),
    path(
        ".well-known/oauth-authorization-server",
        ServerMetadataView.as_view(),
        name="oauth-server-metadata",
    ),
]

pages = [
    path("account/apps/", views.apps, name="apps"),
    path(
        "account/apps/<uuid:space_id>/<int:application_id>/disconnect/",
        views.disconnect,
        name="disconnect",
    ),
    path("spaces/<uuid:space_id>/keys/", views.keys, name="keys"),
    path("spaces/<uuid:space_id>/keys/<uuid:key_id>/revoke/", views.revoke_key, name="revoke-key"),
]

_metadata = ".well-known/oauth-protected-resource"
urlpatterns = [
    path("", include((authorization_server, "oauth2_provider"))),
    path("", include((pages, "mcp_gateway"))),
    path(_metadata, no_metadata),
    # Both spellings, as the endpoint itself answers to both.
    path(f"{_metadata}/mcp/<uuid:space_id>", SpaceMetadataView.as_view(), name="space-metadata"),
    path(f"{_metadata}/mcp/<uuid:space_id>/", SpaceMetadataView.as_view()),
]
