"""Real clients against the started product; needs npm once, and then no internet."""

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.clients.coding_agents import CLAUDE_CODE, CODEX, ClaudeCode, Codex
from tests.clients.node import install
from tests.clients.node import node as installed_node
from tests.clients.owners import Owners
from tests.clients.place import Place
from tests.clients.terminal import Terminal
from tests.journeys.product import Product

NewTerminal = Callable[..., Terminal]
NewPlace = Callable[..., Place]
_places = itertools.count(1)


@pytest.fixture(scope="session")
def node() -> Path:
    """Return the folder of a Node that is new enough for every client."""
    return installed_node()


@pytest.fixture(scope="session")
def owners(product: Product) -> Iterator[Owners]:
    """Return the people who own the spaces of this run."""
    people = Owners(product)
    yield people
    people.leave()


@pytest.fixture
def new_place(product: Product, owners: Owners) -> NewPlace:
    """Return a function of a language: a new, empty space, whose owner is signed in."""

    def make(language: str = "en") -> Place:
        person = owners.with_room()
        name = f"Clients {next(_places)}"
        form = person.open("/spaces/new/")
        created = person.submit(form, name=name, language=language)
        found = re.search(r"/mcp/([0-9a-f-]{36})", created.text)
        assert found is not None, created.text
        return Place(product, person, found[1], name, f"{product.url}/mcp/{found[1]}")

    return make


@pytest.fixture
def place(new_place: NewPlace) -> Place:
    """Return a new, empty space, whose owner is signed in."""
    return new_place()


@pytest.fixture
def new_terminal(tmp_path: Path) -> NewTerminal:
    """Return a function of folders with commands and of variables: a terminal, its home empty."""
    homes = itertools.count(1)

    def make(*path: Path, **settings: str) -> Terminal:
        home = tmp_path / f"home{next(homes)}"
        home.mkdir()
        return Terminal(home, path, settings)

    return make


@pytest.fixture
def new_claude_code(node: Path, new_terminal: NewTerminal) -> Callable[[], ClaudeCode]:
    """Return a function that sets Claude Code up in a home of its own."""
    commands = install(*CLAUDE_CODE)
    quiet = ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
    return lambda: ClaudeCode(new_terminal(node, commands, **dict.fromkeys(quiet, "1")))


@pytest.fixture
def new_codex(node: Path, new_terminal: NewTerminal) -> Callable[[], Codex]:
    """Return a function that sets Codex up in a home of its own."""
    commands = install(*CODEX)

    def make() -> Codex:
        terminal = new_terminal(node, commands)
        settings = terminal.home / ".codex" / "config.toml"
        settings.parent.mkdir()
        # No keyring here, and nobody to report to.
        settings.write_text(
            'mcp_oauth_credentials_store = "file"\n'
            "check_for_update_on_startup = false\n"
            "[analytics]\nenabled = false\n"
        )
        return Codex(terminal)

    return make


@pytest.fixture
def claude_code(new_claude_code: Callable[[], ClaudeCode]) -> ClaudeCode:
    return new_claude_code()


@pytest.fixture
def codex(new_codex: Callable[[], Codex]) -> Codex:
    return new_codex()
