"""What a program on any library of a client does; each test file says how it is started."""

from tests.clients.expected import DECISION, TOOLS
from tests.clients.place import Place
from tests.clients.program import Program, running
from tests.clients.terminal import Terminal


def calls_and_is_told_what_was_wrong(program: Program, *, calls_itself: str) -> None:
    saved = program.call("save", **DECISION)
    found = program.call("search", query="staging database")
    refused = program.call("save", **(DECISION | {"content": "short"}))

    assert saved["structured"]["outcome"] == "created"
    (hit,) = found["structured"]["results"]
    assert {name: hit[name] for name in DECISION} == DECISION
    assert hit["client"] == calls_itself
    assert refused["refused"]
    assert "12" in refused["text"]


def goes_on_with_a_new_token(program: Program, place: Place) -> None:
    """Ask once more after the access token has run out."""
    before = place.access_tokens()

    listed = program.tell("list")

    assert listed["tools"] == TOOLS
    assert (before, place.access_tokens()) == (0, 1)


def signs_in_again_when_disconnected(program: Program, place: Place) -> None:
    place.disconnect()

    again = program.tell("list", place=place)

    assert again["tools"] == TOOLS
    assert place.access_tokens() == 1


def gets_an_error_with_a_revoked_key(terminal: Terminal, *command: str, place: Place) -> None:
    with running(terminal, *command) as program:
        saved = program.call("save", **DECISION)
        place.revoke_keys()
        refused = program.tell("list")

    assert saved["structured"]["outcome"] == "created"
    assert "error" in refused
