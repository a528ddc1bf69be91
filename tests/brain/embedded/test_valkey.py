import stat

import pytest

from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import DataFolder
from brain.embedded.valkey import EmbeddedValkey


def test_what_was_queued_is_there_after_a_restart(folder: DataFolder) -> None:
    valkey = EmbeddedValkey(folder)
    valkey.start()
    valkey.ask("SET job waiting")

    valkey.stop()
    valkey.start()

    assert "waiting" in valkey.ask("GET job")
    valkey.stop()
    assert not valkey.alive()


def test_what_was_queued_survives_a_kill(folder: DataFolder) -> None:
    valkey = EmbeddedValkey(folder)
    child = valkey.start()
    valkey.ask("SET job waiting")
    child.process.kill()
    child.process.wait()

    valkey.start()

    assert "waiting" in valkey.ask("GET job")
    valkey.stop()


def test_a_server_left_over_from_a_killed_product_is_replaced(folder: DataFolder) -> None:
    left_over = EmbeddedValkey(folder)
    old = left_over.start()
    left_over.ask("SET job waiting")
    valkey = EmbeddedValkey(folder)

    valkey.start()

    assert old.process.wait(5) == 0
    assert "waiting" in valkey.ask("GET job")
    valkey.stop()


def test_it_listens_on_a_private_socket_and_refuses_when_full(folder: DataFolder) -> None:
    valkey = EmbeddedValkey(folder)

    valkey.start()

    assert stat.S_IMODE(folder.valkey_socket.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.valkey.stat().st_mode) == 0o700
    assert "\r\n0\r\n" in valkey.ask("CONFIG GET port")
    assert "noeviction" in valkey.ask("CONFIG GET maxmemory-policy")
    valkey.stop()


def test_a_failed_start_says_what_the_server_said(folder: DataFolder) -> None:
    valkey = EmbeddedValkey(folder)
    valkey.start()
    valkey.stop()
    for each in (folder.valkey / "appendonlydir").glob("*.manifest"):
        each.write_text("nonsense\n")

    with pytest.raises(EmbeddedError, match=r"Valkey did not start .*valkey.log"):
        valkey.start()


def test_nobody_answers_where_nothing_runs(folder: DataFolder) -> None:
    assert EmbeddedValkey(folder).alive() is False
