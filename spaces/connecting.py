"""What a person pastes into an app so that it finds a space."""

import json
import re
import shlex
import unicodedata

from spaces.models import Space


def server_name(space: Space) -> str:
    """Return a name for the space that every app takes: lower-case ASCII words with dashes."""
    plain = unicodedata.normalize("NFKD", space.name).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40].strip("-")
    return f"brain-{words}" if words else f"brain-{space.pk.hex[:6]}"


def claude_code_command(space: Space) -> str:
    return shlex.join(
        ["claude", "mcp", "add", "--transport", "http", server_name(space), space.mcp_url]
    )


def generic_configuration(space: Space) -> str:
    """Return the JSON that most apps read from their configuration file."""
    server = {"type": "http", "url": space.mcp_url}
    return json.dumps({"mcpServers": {server_name(space): server}}, indent=2)


def key_command(space: Space) -> str:
    scopes = "--scope auth:read --scope auth:write"
    return f"python manage.py create_api_key {space.pk} {scopes}"
