import socket
from collections.abc import Iterator

import pytest

from brain.embedded.addresses import broker_answers, port_answers, refuse_taken_port
from brain.embedded.errors import EmbeddedError


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield int(server.getsockname()[1])


def test_a_taken_port_is_refused_with_the_next_one(taken: int) -> None:
    with pytest.raises(EmbeddedError, match=rf"Port {taken} is taken.*BRAIN_PORT={taken + 1}"):
        refuse_taken_port("127.0.0.1", port=taken)

    assert port_answers("127.0.0.1", port=taken)
    assert port_answers("::", port=taken) is False


def test_a_free_port_is_fine(taken: int) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        free = int(server.getsockname()[1])

    refuse_taken_port("127.0.0.1", port=free)

    assert not port_answers("127.0.0.1", port=free)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(EmbeddedError, match=r"no address 192.0.2.1. Set BRAIN_HOST"):
        refuse_taken_port("192.0.2.1", port=8000)


def test_a_host_that_is_no_address_is_refused() -> None:
    with pytest.raises(EmbeddedError, match=r"BRAIN_HOST=not an address"):
        refuse_taken_port("not an address", port=8000)


def test_a_broker_that_is_away_says_why() -> None:
    assert "refused" in broker_answers("redis://127.0.0.1:1").lower()
    assert broker_answers("http://127.0.0.1:1")
