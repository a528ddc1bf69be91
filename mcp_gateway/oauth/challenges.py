"""What a caller without a good token is told: where to find out how to get one."""

import json
from uuid import UUID

from mcp_gateway.oauth.resources import metadata_url
from mcp_gateway.scopes import ALL


def challenge(space_id: UUID, *, description: str = "") -> str:
    """Return the WWW-Authenticate value (RFC 6750, 3; RFC 9728, 5.1).

    `description` says what is wrong with the token that came; without one no error is named.
    """
    parts = ['error="invalid_token"', f'error_description="{description}"'] if description else []
    parts += [f'resource_metadata="{metadata_url(space_id)}"', f'scope="{" ".join(ALL)}"']
    return f"Bearer {', '.join(parts)}"


def refusal_body(*, description: str = "") -> bytes:
    """Return the JSON body of the 401, for people who read it in a log."""
    text = description or "Sign in: send a token as 'Authorization: Bearer …'."
    return json.dumps({"error": "invalid_token", "error_description": text}).encode()
