"""mcporter: a command line and a library that many scripts use."""

import json
from pathlib import Path

import pytest

from tests.clients.conftest import NewTerminal
from tests.clients.expected import DECISION, TOOLS
from tests.clients.node import install
from tests.clients.place import Place
from tests.clients.results import YES, record
from tests.clients.terminal import Done, Terminal

pytestmark = [pytest.mark.product, pytest.mark.clients]
NAME, VERSION = "mcporter", "0.12.3"
SEARCH = ("mcporter", "call", "brain.search", "query=staging database")
# Never wait for a browser: a person has allowed it before, or nobody has.
ALONE = ("--output", "json", "--no-oauth")


@pytest.fixture
def terminal(node: Path, new_terminal: NewTerminal) -> Terminal:
    return new_terminal(node, install("mcporter", VERSION))


def connect(terminal: Terminal, place: Place) -> Done:
    add = ("mcporter", "config", "add", "brain", place.url, "--allow-http", "--auth", "oauth")
    added = terminal.run(*add)
    assert added.code == 0, added.output
    return terminal.sign_in("mcporter", "auth", "brain", "--no-browser", person=place.person)


def save(**fields: str) -> tuple[str, ...]:
    given = (f"{name}={value}" for name, value in fields.items())
    return ("mcporter", "call", "brain.save", *given, *ALONE)


def let_an_hour_pass(terminal: Terminal, place: Place) -> None:
    """Expire the access token, for the product and for mcporter's own note of it."""
    place.expire_access()
    file = terminal.home / ".mcporter" / "credentials.json"
    kept = json.loads(file.read_text())
    for entry in kept["entries"].values():
        entry["tokens"]["expires_at"] -= 3600
    file.write_text(json.dumps(kept))


def test_with_a_key_it_needs_no_browser(terminal: Terminal, place: Place) -> None:
    header = ("--allow-http", "--header", f"Authorization=Bearer {place.key()}")

    listed = terminal.run("mcporter", "list", place.url, *header, "--json")

    assert [tool["name"] for tool in json.loads(listed.output)["tools"]] == TOOLS


def test_before_the_sign_in_it_says_what_to_type(terminal: Terminal, place: Place) -> None:
    add = ("mcporter", "config", "add", "brain", place.url, "--allow-http", "--auth", "oauth")
    terminal.run(*add)

    listed = terminal.run("mcporter", "list", "brain", "--json", "--no-oauth")

    assert json.loads(listed.output)["status"] == "auth"
    assert json.loads(listed.output)["authCommand"] == "mcporter auth brain"


def test_it_signs_in_lists_calls_and_is_told_what_was_wrong(
    terminal: Terminal, place: Place
) -> None:
    signed_in = connect(terminal, place)

    listed = terminal.run("mcporter", "list", "brain", "--json", "--no-oauth")
    saved = terminal.run(*save(**DECISION))
    found = terminal.run(*SEARCH, *ALONE)
    refused = terminal.run(*save(**(DECISION | {"content": "short"})))

    assert signed_in.code == 0
    assert [tool["name"] for tool in json.loads(listed.output)["tools"]] == TOOLS
    assert json.loads(saved.output)["outcome"] == "created"
    (hit,) = json.loads(found.output)["results"]
    assert {name: hit[name] for name in DECISION} == DECISION
    assert hit["client"] == "mcporter (brain)"
    assert refused.code == 1
    assert "12" in refused.output
    record(NAME, VERSION, sign_in=YES, list=YES, call=YES)


def test_it_goes_on_with_a_new_access_token_when_the_old_one_has_run_out(
    terminal: Terminal, place: Place
) -> None:
    connect(terminal, place)
    let_an_hour_pass(terminal, place)
    before = place.access_tokens()

    found = terminal.run(*SEARCH, *ALONE)

    assert json.loads(found.output)["results"] == []
    assert (before, place.access_tokens()) == (0, 1)
    record(NAME, VERSION, refresh=YES)


def test_disconnected_on_the_dashboard_it_says_what_to_type_and_can_sign_in_again(
    terminal: Terminal, place: Place
) -> None:
    connect(terminal, place)
    place.disconnect()

    refused = terminal.run(*SEARCH, *ALONE)
    again = terminal.sign_in("mcporter", "auth", "brain", "--no-browser", person=place.person)
    found = terminal.run(*SEARCH, *ALONE)

    assert refused.code == 1
    assert "Run 'mcporter auth brain'" in refused.output
    assert again.code == 0
    assert json.loads(found.output)["results"] == []
    record(
        NAME,
        VERSION,
        revoke=YES,
        notes="Speaks 2025-11-25. Refreshes by its own clock, a token that the server ended "
        "earlier needs `mcporter auth` again; in scripts add `--no-oauth`, or a call waits five "
        "minutes for a browser. Plain http needs `--allow-http`.",
    )
