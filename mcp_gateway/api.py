"""REST: what a headless agent needs to connect. No secret is in it."""

import json
import uuid
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from ninja import Field, Query, Router, Schema

from brain.lib.problems import ProblemOut
from mcp_gateway.oauth.resources import metadata_url
from mcp_gateway.scopes import ALL, READ
from memories.api.requests import RestRequest
from spaces.access import readable_space
from spaces.connecting import KEY_VARIABLE, codex_file, server_name
from spaces.models import Space

router = Router(tags=["agents"])

INSTANCE_HEADER = "X-Agent-Instance-Id"


class ConfigQuery(Schema):
    space_id: UUID
    agent: str = Field(
        "agent",
        description="What you call this agent; the same name gets the same instance id.",
        min_length=1,
        max_length=60,
        pattern=r"^[A-Za-z0-9._-]+$",
    )


class OAuthWay(Schema):
    """For runners that can open a browser once: the client finds the rest by itself."""

    resource_metadata: str
    scopes: list[str]


class KeyWay(Schema):
    """For runners without a browser: a key of the space, from the environment."""

    header: str
    variable: str
    keys_page: str


class ExampleFile(Schema):
    path: str
    content: str


class AgentConfigOut(Schema):
    name: str
    mcp_url: str
    transport: str
    scopes: list[str]
    oauth: OAuthWay
    api_key: KeyWay
    instance_header: str
    instance_id: UUID
    files: list[ExampleFile]


@router.get(
    "/mcp/config/autonomous-agent",
    response={200: AgentConfigOut, 401: ProblemOut, 404: ProblemOut, 422: ProblemOut},
)
def autonomous_agent(request: RestRequest, asked: Query[ConfigQuery]) -> AgentConfigOut:
    """Return how an agent that runs by itself connects to a space, with files to copy."""
    space = readable_space(asked.space_id, request.actor)
    instance = uuid.uuid5(space.pk, asked.agent)
    scopes = list(ALL) if request.actor.may_write else [READ]
    return AgentConfigOut(
        name=space.name,
        mcp_url=space.mcp_url,
        transport="streamable-http",
        scopes=scopes,
        oauth=OAuthWay(resource_metadata=metadata_url(space.pk), scopes=scopes),
        api_key=KeyWay(
            header=f"Authorization: Bearer ${{{KEY_VARIABLE}}}",
            variable=KEY_VARIABLE,
            keys_page=_keys_page(request, space),
        ),
        instance_header=INSTANCE_HEADER,
        instance_id=instance,
        files=_files(space, instance),
    )


def _keys_page(request: HttpRequest, space: Space) -> str:
    return request.build_absolute_uri(reverse("mcp_gateway:keys", args=[space.pk]))


def _files(space: Space, instance: UUID) -> list[ExampleFile]:
    headers = {
        "Authorization": f"Bearer ${{{KEY_VARIABLE}}}",
        INSTANCE_HEADER: str(instance),
    }
    server = {"type": "http", "url": space.mcp_url, "headers": headers}
    name = server_name(space)
    instance_line = f'http_headers = {{ "{INSTANCE_HEADER}" = "{instance}" }}'
    codex = f"{codex_file(name, space.mcp_url)}\n{instance_line}\n"
    return [
        ExampleFile(path=".env.example", content=f"{KEY_VARIABLE}=\n"),
        ExampleFile(
            path=".mcp.json",
            content=json.dumps({"mcpServers": {name: server}}, indent=2) + "\n",
        ),
        ExampleFile(path=".codex/config.toml", content=codex),
    ]
