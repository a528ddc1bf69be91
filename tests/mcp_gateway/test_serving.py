"""What leaves when a prompt or a resource fails: a sentence, never what went wrong inside."""

import logging

import pytest
from mcp import MCPError

from brain.lib.errors import NotFoundError
from mcp_gateway.context import Caller
from mcp_gateway.models import Connection
from mcp_gateway.scopes import READ
from mcp_gateway.services.connections import Deed
from mcp_gateway.serving import serve
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of


@pytest.fixture
def caller(space: Space) -> Caller:
    return Caller(agent_of(space), space, frozenset({READ}))


def connection_of(caller: Caller) -> Connection:
    with inside(caller.space):
        return Connection.objects.get()


def test_what_nobody_expected_is_logged_without_its_text(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    row = "We deploy on Fridays."

    def fail() -> None:
        raise ValueError(row)

    with caplog.at_level(logging.ERROR), pytest.raises(MCPError) as failed:
        serve("resources/read", caller, fail)

    error = failed.value.error
    call_id = error.message.rstrip(".").rpartition(" ")[2]
    assert error.code == -32603
    assert error.message.startswith("Something went wrong here. Try again")
    assert call_id in caplog.text
    assert "of resources/read failed with ValueError" in caplog.text
    assert row not in caplog.text + error.message


def test_a_refusal_is_a_sentence_and_is_noted_of_the_connection(caller: Caller) -> None:
    def refuse() -> None:
        raise NotFoundError("There is no such thing.", hint="Look elsewhere.")

    with pytest.raises(MCPError) as refused:
        serve("prompts/get", caller, refuse)

    assert refused.value.error.code == -32602
    assert refused.value.error.message == "There is no such thing. Look elsewhere."
    assert connection_of(caller).last_error_code == "not_found"


def test_what_was_answered_is_noted_of_the_connection(caller: Caller) -> None:
    answer = serve("resources/read", caller, lambda: "answer", deed=Deed.SEARCHED)

    assert answer == "answer"
    assert connection_of(caller).last_searched_at is not None
