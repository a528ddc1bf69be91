"""All addresses that Django serves; brain/asgi.py adds the MCP endpoint."""

from django.contrib import admin
from django.urls import include, path

from brain.api import api
from brain.api_docs import docs
from brain.watching.metrics import metrics

urlpatterns = [
    path("", include("spaces.urls")),
    path("", include("accounts.urls")),
    path("", include("mcp_gateway.urls")),
    path("spaces/<uuid:space_id>/memories/", include("memories.urls")),
    path("metrics", metrics, name="metrics"),
    path("api/v1/docs", docs, name="api-docs"),
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
]
