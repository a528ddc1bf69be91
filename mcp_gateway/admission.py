"""Who is let in to the endpoint: a good token, from somebody who does not ask too often."""

from uuid import UUID

from brain.lib.rate_limits import Count, admit
from mcp_gateway.context import Caller
from mcp_gateway.oauth.bearer import BearerError, authenticate


def admitted(token: str, space_id: UUID, *, network: str) -> Caller:
    """Return who calls the space; raises BearerError and TooManyError."""
    try:
        caller = authenticate(token, space_id)
    except BearerError:
        admit(Count("refused:network", network))
        raise
    admit(
        Count("mcp:token", token),
        Count("mcp:account", str(caller.actor.user.pk)),
        Count("mcp:network", network),
    )
    return caller
