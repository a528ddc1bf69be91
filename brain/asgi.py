"""One ASGI application: the MCP endpoint beside Django's own handler."""

import os
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import path, re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")
django_application = get_asgi_application()

# Models can be imported only after Django is set up.
from mcp_gateway.asgi import MCPEndpoint  # noqa: E402

mcp_endpoint: Any = MCPEndpoint()  # Django's stubs know only views here
rest: Any = django_application
application = ProtocolTypeRouter(
    {
        "http": URLRouter(
            [
                # Both spellings answer: a client that posts must never be redirected.
                path("mcp/<uuid:space_id>", mcp_endpoint),
                path("mcp/<uuid:space_id>/", mcp_endpoint),
                re_path(r"", rest),
            ]
        )
    }
)
