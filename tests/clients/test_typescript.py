"""The TypeScript SDK, on which most clients are built: 1.x, and 2.x in both eras."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.conftest import NewTerminal
from tests.clients.expected import TOOLS, instructions_of
from tests.clients.libraries import (
    calls_and_is_told_what_was_wrong,
    gets_an_error_with_a_revoked_key,
    goes_on_with_a_new_token,
    signs_in_again_when_disconnected,
)
from tests.clients.node import install
from tests.clients.place import Place
from tests.clients.program import SCRIPTS, Program, running
from tests.clients.results import YES, record
from tests.clients.terminal import Terminal

pytestmark = [pytest.mark.product, pytest.mark.clients]


@dataclass(frozen=True, slots=True)
class Sdk:
    """One version of the SDK, and the era that a program asks it for."""

    name: str
    package: str
    version: str
    era: str
    notes: str

    @property
    def major(self) -> str:
        return self.version.partition(".")[0]


ONE = Sdk(
    "TypeScript SDK 1.x", "@modelcontextprotocol/sdk", "1.32.2", "legacy", "Speaks 2025-11-25."
)
TWO = Sdk(
    "TypeScript SDK 2.x",
    "@modelcontextprotocol/client",
    "2.4.0",
    "auto",
    'Speaks 2026-07-28 with `versionNegotiation: { mode: "auto" }`, and 2025-11-25 unless asked.',
)
OLD_TWO = Sdk(TWO.name, TWO.package, TWO.version, "legacy", TWO.notes)
SDKS = [
    pytest.param(ONE, id="1.x"),
    pytest.param(TWO, id="2.x"),
    pytest.param(OLD_TWO, id="2.x, legacy"),
]


@pytest.fixture(params=SDKS)
def sdk(request: pytest.FixtureRequest) -> Sdk:
    chosen: Sdk = request.param
    return chosen


@pytest.fixture
def terminal(sdk: Sdk, node: Path, new_terminal: NewTerminal) -> Terminal:
    commands = install(sdk.package, sdk.version)
    terminal = new_terminal(node)
    # A module is looked for from the folder of the script.
    shutil.copy(SCRIPTS / "typescript.mjs", terminal.work)
    (terminal.work / "node_modules").symlink_to(commands.parent)
    return terminal


def started(terminal: Terminal, sdk: Sdk, place: Place) -> tuple[str, ...]:
    return ("node", "typescript.mjs", place.url, sdk.major, sdk.era)


@pytest.fixture
def program(terminal: Terminal, sdk: Sdk, place: Place) -> Iterator[Program]:
    """Return a program on the SDK that is signed in."""
    with running(terminal, *started(terminal, sdk, place)) as program:
        program.tell("list", place=place)
        yield program


def test_it_signs_in_through_its_own_provider_and_lists_every_tool(
    terminal: Terminal, sdk: Sdk, place: Place
) -> None:
    with running(terminal, *started(terminal, sdk, place)) as program:
        listed = program.tell("list", place=place)

    assert listed["tools"] == TOOLS
    assert listed["instructions"] == instructions_of(place)
    if sdk is not ONE:
        assert listed["protocol"] == ("2026-07-28" if sdk is TWO else "2025-11-25")
    assert place.access_tokens() == 1
    record(sdk.name, sdk.version, sign_in=YES, list=YES, notes=sdk.notes)


def test_it_calls_and_is_told_what_was_wrong(program: Program, sdk: Sdk) -> None:
    calls_and_is_told_what_was_wrong(program, calls_itself=f"TypeScript SDK {sdk.major}")
    record(sdk.name, sdk.version, call=YES)


def test_it_goes_on_with_a_new_access_token_when_the_old_one_has_run_out(
    program: Program, sdk: Sdk, place: Place
) -> None:
    place.expire_access()

    goes_on_with_a_new_token(program, place)
    record(sdk.name, sdk.version, refresh=YES)


def test_disconnected_on_the_dashboard_it_sends_the_person_to_the_browser_again(
    program: Program, sdk: Sdk, place: Place
) -> None:
    signs_in_again_when_disconnected(program, place)
    record(sdk.name, sdk.version, revoke=YES)


def test_with_a_key_that_was_revoked_it_gets_an_error_and_no_browser(
    sdk: Sdk, terminal: Terminal, place: Place
) -> None:
    with_key = Terminal(terminal.home, terminal.path, {"AGENTS_BRAIN_KEY": place.key()})

    gets_an_error_with_a_revoked_key(with_key, *started(terminal, sdk, place), place=place)
