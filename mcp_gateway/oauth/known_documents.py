"""What well-known clients publish about themselves, for when it can't be fetched.

Some publishers answer machines in data centres with a puzzle for browsers, and a client whose
document can't be read has no other way in. Every address here is the publisher's own or a
loopback one, so nobody gains anything by keeping the real document away from this server.
"""

from collections.abc import Mapping
from types import MappingProxyType

_GRANTS = ("authorization_code", "refresh_token")


def _document(
    client_id: str, name: str, *redirects: str, uri: str, more: tuple[str, ...] = ()
) -> dict[str, object]:
    return {
        "client_id": client_id,
        "client_name": name,
        "client_uri": uri,
        "redirect_uris": list(redirects),
        "grant_types": [*_GRANTS, *more],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


CLAUDE = _document(
    "https://claude.ai/oauth/mcp-oauth-client-metadata",
    "Claude",
    "https://claude.ai/api/mcp/auth_callback",
    "https://claude.com/api/mcp/auth_callback",
    uri="https://claude.ai",
    more=("urn:ietf:params:oauth:grant-type:jwt-bearer",),
)
CLAUDE_CODE = _document(
    "https://claude.ai/oauth/claude-code-client-metadata",
    "Claude Code",
    "http://localhost/callback",
    "http://127.0.0.1/callback",
    uri="https://claude.ai",
)
CHATGPT = _document(
    "https://chatgpt.com/oauth/client.json",
    "ChatGPT",
    "https://chatgpt.com/connector_platform_oauth_redirect",
    uri="https://chatgpt.com",
) | {
    "token_endpoint_auth_method": "private_key_jwt",
    "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
    "token_endpoint_auth_signing_alg": "RS256",
    "jwks_uri": "https://chatgpt.com/oauth/jwks.json",
}
CODEX = _document(
    "https://chatgpt.com/oauth/codex/client.json",
    "Codex",
    "http://127.0.0.1/callback",
    "http://localhost/callback",
    uri="https://chatgpt.com",
)
VS_CODE = _document(
    "https://vscode.dev/oauth/client-metadata.json",
    "Visual Studio Code",
    "http://127.0.0.1:33418/",
    "https://vscode.dev/redirect",
    uri="https://vscode.dev/product",
    more=("urn:ietf:params:oauth:grant-type:device_code",),
) | {"application_type": "native"}

KNOWN_DOCUMENTS: Mapping[str, dict[str, object]] = MappingProxyType(
    {str(each["client_id"]): each for each in (CLAUDE, CLAUDE_CODE, CHATGPT, CODEX, VS_CODE)}
)
