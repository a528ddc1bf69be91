"""What reaches a terminal: lines and tracebacks without secrets."""

import io
import logging
from collections.abc import Iterator

import pytest

from brain.log_filter import SecretFilter
from tests.brain.sanitising.made_up import made_up

KEY = made_up("ghp_<alnum 36>")


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    """Return a logger and what it wrote through the filter."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.addFilter(SecretFilter())
    logger = logging.getLogger("tests.log_filter")
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, written
    logger.removeHandler(handler)


Log = tuple[logging.Logger, io.StringIO]


def test_a_secret_in_an_argument_is_not_logged(log: Log) -> None:
    logger, written = log

    logger.error("The call with %s failed after %d tries.", KEY, 3)

    assert written.getvalue() == "The call with [redacted: github_token] failed after 3 tries.\n"


def test_a_secret_that_an_error_quotes_is_not_in_the_traceback(log: Log) -> None:
    logger, written = log

    try:
        dict[str, str]()[f"no such key: {KEY}"]
    except KeyError:
        logger.exception("It failed.")

    assert "Traceback" in written.getvalue()
    assert "no such key: [redacted: github_token]" in written.getvalue()
    assert KEY not in written.getvalue()


def test_a_private_key_is_cut_out_whole(log: Log) -> None:
    logger, written = log
    key = made_up("-----BEGIN PRIVATE <upper 0>KEY-----\n<base64 64>\n-----END PRIVATE KEY-----")

    logger.error("%s was sent", key)

    assert written.getvalue() == "[redacted: private_key] was sent\n"


def test_a_line_with_the_wrong_arguments_is_logged_without_them(log: Log) -> None:
    logger, written = log

    logger.error("Only %d", KEY)

    assert written.getvalue() == "Only %d (arguments do not fit)\n"


def test_a_forged_line_stays_one_line_of_visible_characters(log: Log) -> None:
    logger, written = log

    logger.error("name \x1b[2Jcleared\x00")

    assert written.getvalue() == "name cleared\n"
