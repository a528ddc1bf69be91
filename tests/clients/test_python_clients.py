"""Python libraries that agents are built with: fastmcp, LangChain, the OpenAI Agents SDK."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.clients.conftest import NewTerminal
from tests.clients.expected import DECISION, TOOLS
from tests.clients.libraries import (
    calls_and_is_told_what_was_wrong,
    gets_an_error_with_a_revoked_key,
    goes_on_with_a_new_token,
    signs_in_again_when_disconnected,
)
from tests.clients.place import Place
from tests.clients.program import SCRIPTS, Program, running
from tests.clients.python import environment_with, version_in
from tests.clients.responses_api import ResponsesApi
from tests.clients.results import YES, record
from tests.clients.scripted_models import Call, Say, serving
from tests.clients.terminal import Terminal

pytestmark = [pytest.mark.product, pytest.mark.clients]


@dataclass(frozen=True, slots=True)
class Library:
    """One library, the script that uses it, and the name it gives itself."""

    name: str
    version: str
    script: str
    calls_itself: str
    notes: str


FASTMCP = Library(
    "fastmcp",
    "4.2.3",
    "with_fastmcp.py",
    "FastMCP Client",
    'Speaks 2026-07-28. Signs in with `auth="oauth"`; tokens are kept for the run unless it is '
    "given a store.",
)
LANGCHAIN = Library(
    "langchain-mcp-adapters",
    "0.3.2",
    "with_langchain.py",
    "LangChain",
    "Speaks 2025-11-25. Signs in with the SDK's `OAuthClientProvider` as `auth` of the connection; "
    "connects anew for each call.",
)
OPENAI = Library(
    "openai-agents",
    "0.24.0",
    "with_openai_agents.py",
    "OpenAI Agents",
    "Speaks 2026-07-28. Signs in with the SDK's `OAuthClientProvider` as `auth` in `params`.",
)
LIBRARIES = [pytest.param(each, id=each.name) for each in (FASTMCP, LANGCHAIN, OPENAI)]


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Library:
    chosen: Library = request.param
    return chosen


def terminal_for(library: Library, new_terminal: NewTerminal, **settings: str) -> Terminal:
    # Where a library opens a browser, the address is printed instead.
    quiet = {"FASTMCP_LOG_LEVEL": "ERROR", "PYTHONDONTWRITEBYTECODE": "1", "BROWSER": "echo %s"}
    commands = environment_with(library.name, library.version)
    return new_terminal(commands, **quiet, **settings)


def started(library: Library, place: Place) -> tuple[str, ...]:
    return ("python", str(SCRIPTS / library.script), place.url)


@pytest.fixture
def program(library: Library, new_terminal: NewTerminal, place: Place) -> Iterator[Program]:
    """Return a program on the library that is signed in."""
    with running(terminal_for(library, new_terminal), *started(library, place)) as program:
        program.tell("list", place=place)
        yield program


def test_it_signs_in_and_lists_every_tool(
    library: Library, new_terminal: NewTerminal, place: Place
) -> None:
    terminal = terminal_for(library, new_terminal)

    with running(terminal, *started(library, place)) as program:
        listed = program.tell("list", place=place)

    assert listed["tools"] == TOOLS
    assert place.access_tokens() == 1
    sdk = version_in(terminal.path[0], "mcp")
    notes = f"On the Python SDK {sdk}. {library.notes}"
    record(library.name, library.version, sign_in=YES, list=YES, notes=notes)


def test_it_calls_and_is_told_what_was_wrong(library: Library, program: Program) -> None:
    calls_and_is_told_what_was_wrong(program, calls_itself=library.calls_itself)
    record(library.name, library.version, call=YES)


def test_it_goes_on_with_a_new_access_token_when_the_old_one_has_run_out(
    library: Library, program: Program, place: Place
) -> None:
    # They look at their own clock, and not at what the server says of the token.
    place.expire_access()
    program.tell("hours 2")

    goes_on_with_a_new_token(program, place)
    record(library.name, library.version, refresh=YES)


def test_disconnected_on_the_dashboard_it_sends_the_person_to_the_browser_again(
    library: Library, program: Program, place: Place
) -> None:
    signs_in_again_when_disconnected(program, place)
    record(library.name, library.version, revoke=YES)


def test_with_a_key_that_was_revoked_it_gets_an_error_and_no_browser(
    library: Library, new_terminal: NewTerminal, place: Place
) -> None:
    terminal = terminal_for(library, new_terminal, AGENTS_BRAIN_KEY=place.key())

    gets_an_error_with_a_revoked_key(terminal, *started(library, place), place=place)


def test_an_agent_of_openai_s_sdk_saves_by_itself(new_terminal: NewTerminal, place: Place) -> None:
    save = Call("save", DECISION, own=True)

    with serving(ResponsesApi(), save, Say("It is kept.")) as model:
        terminal = terminal_for(
            OPENAI, new_terminal,
            AGENTS_BRAIN_KEY=place.key(), OPENAI_API_KEY="scripted", OPENAI_BASE_URL=model.url,
        )  # fmt: skip
        with running(terminal, *started(OPENAI, place)) as program:
            answered = program.call("ask", question="Remember when staging is rebuilt.")

    assert answered == {"answer": "It is kept."}
    (text,) = model.results()
    (stored,) = place.call("search", key=place.key(), query="staging")["results"]
    assert stored["id"] in text
