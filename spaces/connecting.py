"""What a person pastes into an app so that it finds a space."""

import base64
import json
import re
import shlex
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from spaces.models import Space

KEY_VARIABLE = "AGENTS_BRAIN_KEY"


@dataclass(frozen=True, slots=True)
class Client:
    """An app that the connect page explains; `needs_public` when it calls from the internet."""

    slug: str
    name: str | Promise
    note: str | Promise
    needs_public: bool = False

    @property
    def template(self) -> str:
        return f"spaces/clients/{self.slug}.html"


CLIENTS = (
    Client("claude-code", "Claude Code", _("terminal")),
    Client("claude", "claude.ai", _("web, desktop and phone"), needs_public=True),
    Client("chatgpt", "ChatGPT", _("web, desktop and phone"), needs_public=True),
    Client("cursor", "Cursor", _("editor")),
    Client("vscode", "VS Code", _("editor")),
    Client("codex", "Codex", _("terminal and editor")),
    Client("gemini", "Gemini CLI", _("terminal")),
    Client("other", _("Another app"), _("anything that speaks MCP")),
    Client("key", _("A script without a browser"), _("API key")),
)


def client(slug: str) -> Client:
    """Return the app of this name, or the first one."""
    return next((each for each in CLIENTS if each.slug == slug), CLIENTS[0])


def server_name(space: Space) -> str:
    """Return a name for the space that every app takes: lower-case ASCII words with dashes."""
    plain = unicodedata.normalize("NFKD", space.name).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40].strip("-")
    return f"brain-{words}" if words else f"brain-{space.pk.hex[:6]}"


def snippets(space: Space) -> dict[str, str]:
    """Return every text to copy and every link to open, by the name that templates use."""
    name, url = server_name(space), space.mcp_url
    server = {"type": "http", "url": url}
    header = "Authorization: Bearer YOUR_KEY"
    return {
        "server_name": name,
        "claude_code": shlex.join(["claude", "mcp", "add", "--transport", "http", name, url]),
        "cursor_link": _cursor_link(name, url),
        "cursor": _json({"mcpServers": {name: {"url": url}}}),
        "vscode_link": f"vscode:mcp/install?{quote(json.dumps({'name': name, **server}))}",
        "vscode_command": shlex.join(["code", "--add-mcp", json.dumps({"name": name, **server})]),
        "vscode": _json({"servers": {name: server}}),
        "codex": shlex.join(["codex", "mcp", "add", name, "--url", url]),
        "codex_login": shlex.join(["codex", "mcp", "login", name]),
        "gemini": shlex.join(
            ["gemini", "mcp", "add", "--transport", "http", "--scope", "user", name, url]
        ),
        "gemini_file": _json({"mcpServers": {name: {"httpUrl": url}}}),
        "generic": _json({"mcpServers": {name: server}}),
        "key_command": f"python manage.py create_api_key {space.pk} "
        "--scope auth:read --scope auth:write",
        "key_header": header,
        "key_claude_code": shlex.join(
            ["claude", "mcp", "add", "--transport", "http", name, url, "--header", header]
        ),
        "key_codex": codex_file(name, url),
        "key_generic": _json(
            {"mcpServers": {name: {**server, "headers": {"Authorization": "Bearer YOUR_KEY"}}}}
        ),
    }


def _cursor_link(name: str, url: str) -> str:
    config = base64.b64encode(json.dumps({"url": url}).encode()).decode()
    query = urlencode({"name": name, "config": config})
    return f"cursor://anysphere.cursor-deeplink/mcp/install?{query}"


def codex_file(name: str, url: str) -> str:
    """Return what Codex reads from its config.toml; the key comes from the environment."""
    return f'[mcp_servers.{name}]\nurl = "{url}"\nbearer_token_env_var = "{KEY_VARIABLE}"'


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, indent=2)
