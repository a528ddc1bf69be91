"""REST: what a headless agent needs to connect. No secret is in it."""

import json
import uuid
from collections.abc import Mapping
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Router

from mcp_gateway.api_schemas import AgentConfigOut, ConfigQuery, ExampleFile, KeyWay, OAuthWay
from mcp_gateway.oauth.resources import metadata_url
from mcp_gateway.scopes import ALL, READ
from memories.api.requests import PROBLEMS, RestRequest
from spaces.access import readable_space
from spaces.connecting import KEY_VARIABLE, codex_file, server_name
from spaces.models import Space

router = Router()

INSTANCE_HEADER = "X-Agent-Instance-Id"


@router.get(
    "/mcp/config/autonomous-agent",
    tags=["agents"],
    response={200: AgentConfigOut, **PROBLEMS},
)
def autonomous_agent(request: RestRequest, asked: Query[ConfigQuery]) -> AgentConfigOut:
    """Return how an agent that runs by itself connects to a space, with files to copy."""
    space = readable_space(asked.space_id, request.actor)
    instance = uuid.uuid5(space.pk, asked.agent)
    scopes = list(ALL) if request.actor.may_write else [READ]
    return AgentConfigOut(
        name=space.name,
        mcp_url=space.mcp_url,
        rest_url=_rest_url(space),
        transport="streamable-http",
        scopes=scopes,
        oauth=OAuthWay(
            when="The runner can open a browser once; its MCP client finds the rest by itself.",
            resource=space.mcp_url,
            resource_metadata=metadata_url(space.pk),
            authorization_server=settings.PUBLIC_URL,
            grant_types=["authorization_code", "refresh_token"],
            code_challenge_methods=["S256"],
            scopes=scopes,
        ),
        api_key=KeyWay(
            when="The runner has no browser; the key comes from its environment.",
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


def _rest_url(space: Space) -> str:
    return f"{settings.PUBLIC_URL}/api/v1/spaces/{space.pk}"


def _files(space: Space, instance: UUID) -> list[ExampleFile]:
    headers = {
        "Authorization": f"Bearer ${{{KEY_VARIABLE}}}",
        INSTANCE_HEADER: str(instance),
    }
    server = {"type": "http", "url": space.mcp_url, "headers": headers}
    name = server_name(space)
    instance_line = f'http_headers = {{ "{INSTANCE_HEADER}" = "{instance}" }}'
    gemini = {
        "httpUrl": space.mcp_url,
        "headers": {**headers, "Authorization": f"Bearer ${KEY_VARIABLE}"},
    }
    codex = f"{codex_file(name, space.mcp_url)}\n{instance_line}\n"
    return [
        ExampleFile(path=".env.example", content=f"{KEY_VARIABLE}=\n"),
        ExampleFile(path=".mcp.json", content=_servers(name, server)),
        ExampleFile(path=".codex/config.toml", content=codex),
        ExampleFile(path=".gemini/settings.json", content=_servers(name, gemini)),
        ExampleFile(path="resume.sh", content=_script(space, instance)),
    ]


def _servers(name: str, server: Mapping[str, object]) -> str:
    return json.dumps({"mcpServers": {name: server}}, indent=2) + "\n"


def _script(space: Space, instance: UUID) -> str:
    """Return a script that asks where the work stopped: for runners that speak no MCP."""
    return (
        "#!/bin/sh\n"
        "curl --fail-with-body --silent --show-error \\\n"
        f'  --header "Authorization: Bearer ${{{KEY_VARIABLE}:?}}" \\\n'
        f'  --header "{INSTANCE_HEADER}: {instance}" \\\n'
        f'  "{_rest_url(space)}/checkpoints"\n'
    )
