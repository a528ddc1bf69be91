"""How to connect an agent."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.html import escape
from pytest_django import Settings

from mcp_gateway.oauth.bearer import authenticate
from mcp_gateway.services.connections import Deed, record_use
from spaces.connecting import snippets
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.oauth.flow import connected, registered


def test_the_page_begins_with_the_address_and_the_first_app(
    signed_in: Client, space: Space
) -> None:
    page = signed_in.get(f"/spaces/{space.pk}/connect/")

    assert page.status_code == 200
    assert space.mcp_url in page.text
    assert snippets(space)["claude_code"] in page.text
    assert 'data-copy="mcp-url"' in page.text
    assert 'aria-current="page"' in page.text
    places = [page.text.index(text) for text in ("The address", "Claude Code", "Another app")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("app", "shown"),
    [
        ("claude-code", ["claude_code"]),
        ("cursor", ["cursor_link", "cursor"]),
        ("vscode", ["vscode_link", "vscode_command", "vscode"]),
        ("codex", ["codex", "codex_login"]),
        ("gemini", ["gemini", "gemini_file"]),
        ("other", ["generic"]),
        ("key", ["key_command", "key_header", "key_claude_code", "key_codex", "key_generic"]),
    ],
)
def test_each_app_has_an_address_with_everything_to_paste(
    signed_in: Client, space: Space, app: str, shown: list[str]
) -> None:
    page = signed_in.get(f"/spaces/{space.pk}/connect/?app={app}")

    texts = snippets(space)
    assert page.status_code == 200
    for name in shown:
        assert escape(texts[name]) in page.text
    assert f'id="app-{app}"' in page.text


@pytest.mark.parametrize("app", ["claude", "chatgpt"])
def test_apps_on_the_internet_are_told_of_an_address_that_only_exists_here(
    signed_in: Client, space: Space, settings: Settings, app: str
) -> None:
    address = f"/spaces/{space.pk}/connect/?app={app}"
    here = signed_in.get(address).text
    settings.IS_LOCAL = False

    public = signed_in.get(address).text

    assert "only exists on this computer" in here
    assert "only exists on this computer" not in public
    assert space.mcp_url in public


def test_the_page_shows_what_each_agent_last_did_and_takes_its_access_away(
    signed_in: Client, space: Space
) -> None:
    tokens = connected(registered(client_name="Reader <b>"), space, access="read")
    caller = authenticate(str(tokens["access_token"]), space.pk)
    record_use(caller, deed=Deed.SEARCHED)
    record_use(caller, error_code="bad_path")

    page = signed_in.get(f"/spaces/{space.pk}/connect/").text

    assert "Reader &lt;b&gt;" in page
    assert "read only" in page
    assert "bad path" in page
    assert 'data-tone="error"' in page
    assert f"/account/apps/{space.pk}/" in page


def test_a_stranger_hears_the_same_as_for_a_space_that_never_was(signed_in: Client) -> None:
    theirs = make_space()

    answers = [signed_in.get(f"/spaces/{each}/connect/") for each in (theirs.pk, uuid4())]

    assert [answer.status_code for answer in answers] == [404, 404]
    # Each answer has another nonce for its scripts.
    said = [re.sub(r'nonce="[^"]*"', "", answer.text) for answer in answers]
    assert said[0] == said[1]


def test_who_is_signed_out_is_sent_to_sign_in(client: Client, space: Space) -> None:
    address = f"/spaces/{space.pk}/connect/"

    assert client.get(address)["Location"] == f"/sign-in/?next={address}"


def test_other_methods_are_refused(signed_in: Client, space: Space) -> None:
    assert signed_in.post(f"/spaces/{space.pk}/connect/").status_code == 405
