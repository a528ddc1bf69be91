"""What a person pastes into an app."""

import base64
import json
import re
import shlex
import tomllib
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spaces.connecting import CLIENTS, client, server_name, snippets
from spaces.models import Space


@pytest.mark.parametrize(
    ("name", "server"),
    [
        ("Website", "brain-website"),
        ("Ação & Reação", "brain-acao-reacao"),
        ("  -- x --  ", "brain-x"),
        ("a" * 80, "brain-" + "a" * 40),
    ],
)
def test_a_space_gives_its_server_a_plain_name(name: str, server: str) -> None:
    assert server_name(Space(name=name)) == server


def test_a_name_without_latin_letters_gives_way_to_the_id() -> None:
    space = Space(name="記憶")

    assert server_name(space) == f"brain-{space.pk.hex[:6]}"


@given(st.text(max_size=80))
def test_what_is_pasted_is_safe_and_complete_whatever_the_name(name: str) -> None:
    space = Space(name=name)

    texts, server = snippets(space), server_name(space)

    assert re.fullmatch(r"brain-[a-z0-9]+(-[a-z0-9]+)*", server)
    assert shlex.split(texts["claude_code"]) == [
        "claude", "mcp", "add", "--transport", "http", server, space.mcp_url,
    ]  # fmt: skip
    assert shlex.split(texts["codex"]) == ["codex", "mcp", "add", server, "--url", space.mcp_url]
    assert shlex.split(texts["gemini"])[-2:] == [server, space.mcp_url]
    assert json.loads(texts["generic"])["mcpServers"][server]["url"] == space.mcp_url
    assert json.loads(texts["gemini_file"])["mcpServers"][server] == {"httpUrl": space.mcp_url}
    assert str(space.pk) in texts["key_command"]


def test_vs_code_gets_the_same_server_by_command_by_link_and_by_file() -> None:
    space = Space(name="Website")

    texts = snippets(space)

    expected = {"name": "brain-website", "type": "http", "url": space.mcp_url}
    assert json.loads(shlex.split(texts["vscode_command"])[2]) == expected
    scheme, _, query = texts["vscode_link"].partition("?")
    assert scheme == "vscode:mcp/install"
    assert json.loads(unquote(query)) == expected
    assert json.loads(texts["vscode"])["servers"]["brain-website"]["url"] == space.mcp_url


def test_the_link_for_cursor_holds_the_configuration_of_its_file() -> None:
    space = Space(name="Website")

    texts = snippets(space)

    link = urlsplit(texts["cursor_link"])
    asked = parse_qs(link.query)
    assert f"{link.scheme}://{link.netloc}{link.path}" == (
        "cursor://anysphere.cursor-deeplink/mcp/install"
    )
    assert asked["name"] == ["brain-website"]
    config = json.loads(base64.b64decode(asked["config"][0]))
    assert config == json.loads(texts["cursor"])["mcpServers"]["brain-website"]


def test_codex_reads_the_key_from_the_environment() -> None:
    space = Space(name="Website")

    server = tomllib.loads(snippets(space)["key_codex"])["mcp_servers"]["brain-website"]

    assert server == {"url": space.mcp_url, "bearer_token_env_var": "AGENTS_BRAIN_KEY"}


def test_an_app_that_is_not_known_gives_way_to_the_first() -> None:
    assert client("cursor").name == "Cursor"
    assert client("nothing") == CLIENTS[0]
