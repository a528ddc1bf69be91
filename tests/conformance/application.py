"""The product, but in one space the tools, prompts and resources that the suite asks for.

The endpoint, the tokens and all other spaces are the product's own. The product has no setting
for this and no import of it; without the settings of this folder it does not even start.
"""

import os
from uuid import UUID

from django.core.exceptions import ImproperlyConfigured

ONLY_WITH = "tests.conformance.settings"
SPACE_VARIABLE = "CONFORMANCE_SPACE"
if os.environ.get("DJANGO_SETTINGS_MODULE") != ONLY_WITH:
    raise ImproperlyConfigured(
        f"This is for the conformance suite alone and starts only with {ONLY_WITH}."
    )

from mcp.server import Server  # noqa: E402

from brain.asgi import application as product  # noqa: E402
from mcp_gateway import asgi  # noqa: E402
from mcp_gateway.context import Caller  # noqa: E402
from mcp_gateway.server import build_server  # noqa: E402
from tests.conformance.fixtures.server import with_fixtures  # noqa: E402

space_id = UUID(os.environ[SPACE_VARIABLE])


def build_for(caller: Caller) -> Server[object]:
    """Return the product's server, with the fixtures beside its own in the one space."""
    server = build_server(caller)
    return with_fixtures(server) if caller.space.pk == space_id else server


# The product itself has no such place: only here is another builder put into its endpoint.
setattr(asgi, "build_server", build_for)  # noqa: B010
application = product
