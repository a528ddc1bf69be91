"""What the clients in the field send when they register, as their sources and servers show it."""

from dataclasses import dataclass, field

from mcp_gateway.oauth.client_documents import ClientDocumentFetcher, Document
from mcp_gateway.oauth.known_documents import CHATGPT, KNOWN_DOCUMENTS

WITH_DEVICES = [
    "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
]  # fmt: skip
USUAL: dict[str, object] = {
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}


@dataclass(frozen=True, slots=True)
class KnownClient:
    """One way that one client connects: what it registers, and what it asks people for."""

    registration: dict[str, object]
    redirect: str
    asks: dict[str, str] = field(default_factory=dict)
    names_the_space: bool = True


CLAUDE_AI = USUAL | {
    "client_name": "Claude",
    "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
    "token_endpoint_auth_method": "client_secret_post",
    "scope": "auth:read auth:write",
}
CHAT_GPT = USUAL | {
    "client_name": "ChatGPT",
    "redirect_uris": ["https://chatgpt.com/connector_platform_oauth_redirect"],
}
CURSOR = USUAL | {
    "client_name": "Cursor",
    "redirect_uris": [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
    ],
}
VS_CODE = USUAL | {
    "client_name": "Visual Studio Code",
    "client_uri": "https://code.visualstudio.com",
    # It leaves out what the server does not list; older ones sent all three.
    "grant_types": WITH_DEVICES,
    "redirect_uris": [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
    ],
    "scope": "auth:read auth:write",
    "application_type": "native",
}
LM_STUDIO = USUAL | {
    "client_name": "LM Studio",
    "redirect_uris": ["http://127.0.0.1:33389/mcp-oauth-callback"],
    "scope": "auth:read auth:write offline_access",
}
GOOSE = USUAL | {
    "client_name": "goose",
    "redirect_uris": ["http://127.0.0.1:40917/oauth_callback"],
    "application_type": "native",
}
GOOSE_OF_OLD: dict[str, object] = {
    "client_name": "goose",
    "redirect_uris": ["http://localhost:7777/oauth_callback"],
    "grant_types": ["authorization_code"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}
INSPECTOR = USUAL | {
    "client_name": "MCP Inspector",
    "client_uri": "https://github.com/modelcontextprotocol/inspector",
    "redirect_uris": ["http://localhost:6274/oauth/callback"],
    "scope": "",
    "application_type": "native",
}
GEMINI = USUAL | {
    "client_name": "Gemini CLI MCP Client",
    "redirect_uris": ["http://localhost:52113/oauth/callback"],
    "scope": "auth:read auth:write",
}
_ALL = "auth:read auth:write"

REGISTERED = {
    "claude.ai": KnownClient(CLAUDE_AI, "https://claude.ai/api/mcp/auth_callback", {"scope": _ALL}),
    "ChatGPT": KnownClient(
        CHAT_GPT, "https://chatgpt.com/connector_platform_oauth_redirect", {"scope": _ALL}
    ),
    "Cursor, its app": KnownClient(CURSOR, "cursor://anysphere.cursor-mcp/oauth/callback"),
    "Cursor, the web": KnownClient(CURSOR, "https://www.cursor.com/agents/mcp/oauth/callback"),
    "Cursor, a port": KnownClient(CURSOR, "http://localhost:8787/callback"),
    "VS Code, the web": KnownClient(VS_CODE, "https://vscode.dev/redirect", {"scope": _ALL}),
    "VS Code, its port": KnownClient(VS_CODE, "http://127.0.0.1:33418/", {"scope": _ALL}),
    "VS Code, another port": KnownClient(VS_CODE, "http://127.0.0.1:54321/", {"scope": _ALL}),
    "LM Studio": KnownClient(
        LM_STUDIO,
        "http://127.0.0.1:33389/mcp-oauth-callback",
        {"scope": f"{_ALL} offline_access", "prompt": "consent"},
    ),
    "goose": KnownClient(GOOSE, "http://127.0.0.1:40917/oauth_callback", {"scope": _ALL}),
    "goose of old": KnownClient(
        GOOSE_OF_OLD, "http://localhost:7777/oauth_callback", names_the_space=False
    ),
    "Inspector": KnownClient(INSPECTOR, "http://localhost:6274/oauth/callback", {"scope": _ALL}),
    "Gemini CLI": KnownClient(GEMINI, "http://localhost:52113/oauth/callback", {"scope": _ALL}),
}
# Where each client of `known_documents` has people sent back to.
DOCUMENTED = {
    "claude.ai": (
        "https://claude.ai/oauth/mcp-oauth-client-metadata",
        "https://claude.ai/api/mcp/auth_callback",
    ),
    "Claude Code, localhost": (
        "https://claude.ai/oauth/claude-code-client-metadata",
        "http://localhost:61234/callback",
    ),
    "Claude Code, an address": (
        "https://claude.ai/oauth/claude-code-client-metadata",
        "http://127.0.0.1:5/callback",
    ),
    "ChatGPT": (
        "https://chatgpt.com/oauth/client.json",
        "https://chatgpt.com/connector_platform_oauth_redirect",
    ),
    "Codex": ("https://chatgpt.com/oauth/codex/client.json", "http://127.0.0.1:1455/callback"),
    "VS Code, the web": (
        "https://vscode.dev/oauth/client-metadata.json",
        "https://vscode.dev/redirect",
    ),
    "VS Code, another port": (
        "https://vscode.dev/oauth/client-metadata.json",
        "http://127.0.0.1:54321/",
    ),
}

# ChatGPT has a document for each connector, too.
CHATGPT_CONNECTOR: Document = CHATGPT | {
    "client_id": "https://chatgpt.com/oauth/abc/client.json",
    "redirect_uris": ["https://chatgpt.com/connector/oauth/abc"],
}
EVIL: Document = {
    "client_id": "https://evil.example/client.json",
    "client_name": "Evil",
    "redirect_uris": ["http://evil.example/callback"],
    "token_endpoint_auth_method": "none",
}
_PUBLISHED = {str(each["client_id"]): each for each in (CHATGPT_CONNECTOR, EVIL)}


class PublishedDocuments(ClientDocumentFetcher):
    """The client documents of this file, as if they had been fetched."""

    def document(self, client_id: str) -> tuple[Document, int]:
        return dict((_PUBLISHED | dict(KNOWN_DOCUMENTS))[client_id]), 3600
