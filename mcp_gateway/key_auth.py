"""API keys at the REST API. An OAuth token is for the MCP endpoint and opens nothing here."""

from uuid import UUID

from django.http import HttpRequest
from ninja.errors import AuthenticationError
from ninja.security import HttpBearer

from accounts.actors import Actor
from mcp_gateway.context import instance_of
from mcp_gateway.oauth.bearer import KEY_PREFIX, BearerError, authenticate
from mcp_gateway.services.connections import record_use

REFUSED = "The key is not valid for this address."


class SpaceKey(HttpBearer):
    """A key of the space that the address names; a wrong one is refused, never ignored."""

    def authenticate(self, request: HttpRequest, token: str) -> Actor | None:
        space_id = _space_of(request)
        if space_id is None or not token.startswith(KEY_PREFIX):
            raise AuthenticationError(message=REFUSED)
        try:
            caller = authenticate(token.strip(), space_id)
        except BearerError as error:
            raise AuthenticationError(message=error.description or REFUSED) from None
        record_use(caller)
        actor = Actor(
            caller.actor.user,
            "rest",
            caller.actor.client_key,
            caller.actor.client_name,
            agent_instance=instance_of(request.headers.get("X-Agent-Instance-Id", "")),
            only_space=space_id,
            may_write=caller.may_write,
        )
        request.actor = actor  # type: ignore[attr-defined]
        return actor


def _space_of(request: HttpRequest) -> UUID | None:
    match = request.resolver_match
    named = match.kwargs.get("space_id") if match else None
    try:
        return UUID(str(named or request.GET.get("space_id", "")))
    except ValueError:
        return None
