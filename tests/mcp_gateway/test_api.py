"""REST: what a headless agent needs to connect."""

import json
import subprocess
import tomllib
from typing import Any
from urllib.parse import urlsplit

from django.test import Client

from mcp_gateway.scopes import READ
from spaces.connecting import server_name
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.clients import key_of


def config(client: Client, space: Space, **query: str) -> Any:
    return client.get("/api/v1/mcp/config/autonomous-agent", {"space_id": str(space.pk), **query})


def with_key(secret: str) -> Client:
    return Client(headers={"authorization": f"Bearer {secret}"})


def test_a_person_gets_the_configuration_of_an_agent(signed_in: Client, space: Space) -> None:
    answer = config(signed_in, space).json()

    assert answer["mcp_url"] == space.mcp_url
    assert answer["oauth"]["resource_metadata"].endswith(f"/mcp/{space.pk}")
    assert answer["scopes"] == ["auth:read", "auth:write"]


def test_the_instance_id_is_the_same_for_the_same_name(space: Space) -> None:
    first, second = (with_key(key_of(space)) for _ in range(2))

    ids = [
        config(client, space, agent=name).json()["instance_id"]
        for client, name in ((first, "nightly"), (second, "nightly"), (first, "other"))
    ]

    assert ids[0] == ids[1] != ids[2]


def test_no_secret_is_in_the_configuration_and_its_files_can_be_read(space: Space) -> None:
    secret = key_of(space)

    answer = config(with_key(secret), space)

    files = {each["path"]: each["content"] for each in answer.json()["files"]}
    name = server_name(space)
    server = json.loads(files[".mcp.json"])["mcpServers"][name]
    codex = tomllib.loads(files[".codex/config.toml"])["mcp_servers"][name]
    assert secret not in answer.content.decode()
    assert server["url"] == codex["url"] == space.mcp_url
    gemini = json.loads(files[".gemini/settings.json"])["mcpServers"][name]
    assert gemini["httpUrl"] == space.mcp_url
    assert codex["bearer_token_env_var"] == "AGENTS_BRAIN_KEY"
    keeps_its_name = [server["headers"], codex["http_headers"], gemini["headers"]]
    assert {each["X-Agent-Instance-Id"] for each in keeps_its_name} == {
        answer.json()["instance_id"]
    }


def test_the_script_asks_the_rest_api_with_the_key_of_its_environment(space: Space) -> None:
    secret = key_of(space)
    body = config(with_key(secret), space).json()
    script = next(each["content"] for each in body["files"] if each["path"] == "resume.sh")
    checked = subprocess.run(["sh", "-n"], input=script, text=True, check=False)
    address = script.split('"')[-2]

    answer = with_key(secret).get(urlsplit(address).path)

    assert checked.returncode == 0
    assert "Authorization: Bearer ${AGENTS_BRAIN_KEY:?}" in script
    assert address.startswith(body["rest_url"])
    assert answer.json()["items"] == []


def test_both_ways_to_authenticate_are_named(space: Space) -> None:
    body = config(with_key(key_of(space)), space).json()

    assert body["oauth"]["resource"] == space.mcp_url
    assert body["oauth"]["code_challenge_methods"] == ["S256"]
    assert body["oauth"]["authorization_server"] in body["oauth"]["resource_metadata"]
    assert body["api_key"]["variable"] in body["api_key"]["header"]


def test_a_key_that_may_only_read_is_told_so(space: Space) -> None:
    assert config(with_key(key_of(space, READ)), space).json()["scopes"] == [READ]


def test_a_key_of_another_space_and_a_stranger_are_refused(signed_in: Client, space: Space) -> None:
    theirs = make_space()

    assert config(with_key(key_of(space)), theirs).status_code == 401
    assert config(signed_in, theirs).status_code == 404
    assert config(Client(), space).status_code == 401
