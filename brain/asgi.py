"""One ASGI application: the MCP endpoint and the live pages beside Django's own handler."""

import os
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator, WebsocketDenier
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.exceptions import ImproperlyConfigured
from django.urls import path, re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")
django_application = get_asgi_application()

# Models can be imported only after Django is set up.
from brain.bodies import BodyLimit  # noqa: E402
from mcp_gateway.asgi import MCPEndpoint  # noqa: E402
from memories.consumers import SpaceConsumer  # noqa: E402
from memories.embedders.registry import check_choices  # noqa: E402

# A start that skips the migrations skips Django's checks too. A server listens only after this,
# so with a warm-up nobody's first search waits for a model.
try:
    check_choices(by_loading=settings.WARM_UP)
except ImproperlyConfigured as error:
    # The sentence says what to do; above it a server would print the way to this line.
    raise SystemExit(str(error)) from None

mcp_endpoint: Any = MCPEndpoint()  # Django's stubs know only views here
rest: Any = django_application
limited: Any = BodyLimit(rest)
live_space: Any = SpaceConsumer.as_asgi()
nothing: Any = WebsocketDenier.as_asgi()
application = ProtocolTypeRouter(
    {
        "http": URLRouter(
            [
                # Both spellings answer: a client that posts must never be redirected.
                path("mcp/<uuid:space_id>", mcp_endpoint),
                path("mcp/<uuid:space_id>/", mcp_endpoint),
                re_path(r"", limited),
            ]
        ),
        "websocket": AllowedHostsOriginValidator(
            AuthMiddlewareStack(
                URLRouter([path("live/<uuid:space_id>", live_space), re_path(r"", nothing)])
            )
        ),
    }
)
