"""What the REST API says to a headless agent about how to connect."""

from uuid import UUID

from ninja import Field, Schema
from pydantic import ConfigDict, JsonValue

SPACE = "0d5b7a1e-5a52-4c39-9a4f-6b7f3f1f2a10"
ADDRESS = f"https://brain.example.org/mcp/{SPACE}"
EXAMPLE: dict[str, JsonValue] = {
    "name": "Work",
    "mcp_url": ADDRESS,
    "rest_url": f"https://brain.example.org/api/v1/spaces/{SPACE}",
    "transport": "streamable-http",
    "scopes": ["auth:read", "auth:write"],
    "oauth": {
        "when": "The runner can open a browser once; its MCP client finds the rest by itself.",
        "resource": ADDRESS,
        "resource_metadata": "https://brain.example.org/.well-known/oauth-protected-resource"
        f"/mcp/{SPACE}",
        "authorization_server": "https://brain.example.org",
        "grant_types": ["authorization_code", "refresh_token"],
        "code_challenge_methods": ["S256"],
        "scopes": ["auth:read", "auth:write"],
    },
    "api_key": {
        "when": "The runner has no browser; the key comes from its environment.",
        "header": "Authorization: Bearer ${AGENTS_BRAIN_KEY}",
        "variable": "AGENTS_BRAIN_KEY",
        "keys_page": f"https://brain.example.org/spaces/{SPACE}/keys/",
    },
    "instance_header": "X-Agent-Instance-Id",
    "instance_id": "4f8b8c1e-2f0a-5e0e-9a57-2f5a0f7c1d3b",
    "files": [{"path": ".env.example", "content": "AGENTS_BRAIN_KEY=\n"}],
}


class ConfigQuery(Schema):
    space_id: UUID = Field(description="The space, as in its MCP address.", examples=[SPACE])
    agent: str = Field(
        "agent",
        description="What you call this agent; the same name gets the same instance id.",
        min_length=1,
        max_length=60,
        pattern=r"^[A-Za-z0-9._-]+$",
        examples=["nightly-report"],
    )


class OAuthWay(Schema):
    """For runners that can open a browser once: the client finds the rest by itself."""

    when: str
    resource: str
    resource_metadata: str
    authorization_server: str
    grant_types: list[str]
    code_challenge_methods: list[str]
    scopes: list[str]


class KeyWay(Schema):
    """For runners without a browser: a key of the space, from the environment."""

    when: str
    header: str
    variable: str
    keys_page: str


class ExampleFile(Schema):
    path: str
    content: str


class AgentConfigOut(Schema):
    """`instance_id` is the same for the same name of an agent, whatever restarts it."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: str
    mcp_url: str
    rest_url: str
    transport: str
    scopes: list[str]
    oauth: OAuthWay
    api_key: KeyWay
    instance_header: str
    instance_id: UUID
    files: list[ExampleFile]
