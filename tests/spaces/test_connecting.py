"""What a person pastes into an app."""

import json
import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spaces.connecting import (
    claude_code_command,
    generic_configuration,
    key_command,
    server_name,
)
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

    words = shlex.split(claude_code_command(space))
    pasted = json.loads(generic_configuration(space))

    assert re.fullmatch(r"brain-[a-z0-9]+(-[a-z0-9]+)*", server_name(space))
    assert words == [
        "claude", "mcp", "add", "--transport", "http", server_name(space), space.mcp_url,
    ]  # fmt: skip
    assert pasted["mcpServers"][server_name(space)]["url"] == space.mcp_url
    assert str(space.pk) in key_command(space)
