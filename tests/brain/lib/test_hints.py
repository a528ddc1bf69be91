import os
import threading
from functools import partial

import pytest
from django.db import transaction

from brain.lib import hints
from brain.lib.hints import HintSender


def test_hints_are_sent_in_order_in_another_thread() -> None:
    sender, sent = HintSender(), list[tuple[int, threading.Thread]]()

    def send(number: int) -> None:
        sent.append((number, threading.current_thread()))

    for number in range(50):
        sender.send_later(partial(send, number))

    assert sender.flush(timeout=5)
    assert [number for number, _ in sent] == list(range(50))
    assert threading.current_thread() not in {thread for _, thread in sent}


def test_a_hint_that_hangs_holds_up_nobody_and_the_queue_stays_bounded() -> None:
    sender, sent = HintSender(limit=3), list[int]()
    go = _occupied(sender)

    were_queued = [sender.send_later(lambda: sent.append(1)) for _ in range(5)]

    assert were_queued == [True, True, True, False, False]
    assert not sender.flush(timeout=0.01)
    go.set()
    assert sender.flush(timeout=5)
    assert sent == [1, 1, 1]


def test_one_waiting_hint_with_the_same_key_is_enough() -> None:
    sender, sent = HintSender(), list[int]()
    go = _occupied(sender)

    for number in range(5):
        sender.send_later(partial(sent.append, number), key="space")

    go.set()
    assert sender.flush(timeout=5)
    assert sent == [4]


def test_a_hint_that_fails_is_logged_once_without_contents(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sender, sent = HintSender(), list[int]()

    def fail() -> None:
        raise ConnectionError("the text of a memory")

    sender.send_later(fail)
    sender.send_later(fail)
    sender.send_later(lambda: sent.append(1))

    assert sender.flush(timeout=5)
    assert sent == [1]
    assert caplog.messages == ["A hint could not be sent: ConnectionError."]


def test_without_a_thread_the_hint_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    sender = HintSender()

    assert not sender.send_later(lambda: None)
    assert sender.flush(timeout=0)


@pytest.mark.django_db(transaction=True)
def test_a_hint_leaves_after_the_commit_only() -> None:
    sent: list[str] = []

    with transaction.atomic():
        hints.send_after_commit(lambda: sent.append("committed"))
        hints.flush()
        assert sent == []
    with transaction.atomic():
        hints.send_after_commit(lambda: sent.append("rolled back"))
        transaction.set_rollback(True)

    assert hints.flush()
    assert sent == ["committed"]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_worker_sends_its_own_hints() -> None:
    hints.send_later(lambda: None)
    assert hints.flush()
    read, write = os.pipe()

    child = os.fork()
    if child == 0:  # pragma: no cover
        hints.send_later(lambda: os.write(write, b"sent"))
        os._exit(0 if hints.flush() else 1)
    os.close(write)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert os.read(read, 10) == b"sent"
    os.close(read)


def _occupied(sender: HintSender) -> threading.Event:
    """Have the sender stuck in a hint; it goes on when the event is set."""
    began, go = threading.Event(), threading.Event()

    def hang() -> None:
        began.set()
        go.wait(10)

    sender.send_later(hang)
    assert began.wait(10)
    return go
