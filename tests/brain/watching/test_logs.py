"""Log lines for programs, and reports of errors."""

import json
import logging
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from brain.log_filter import SecretFilter
from brain.watching.errors import report_errors_to, without_contents
from brain.watching.logs import json_formatter, logged_as


def _fail(text: str) -> None:
    raise ValueError(text)


def line_of(message: str, *, fails: bool = False) -> dict[str, object]:
    info = None
    if fails:
        try:
            _fail("sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc")
        except ValueError:
            info = sys.exc_info()
    record = logging.LogRecord("brain.x", logging.ERROR, __file__, 1, message, (), info)
    SecretFilter().filter(record)
    line: dict[str, object] = json.loads(json_formatter().format(record))
    return line


def test_a_line_is_one_object_with_the_id_of_its_request() -> None:
    with logged_as("abc"):
        line = line_of("It failed.\nTwice.")

    assert line["event"] == "It failed.\nTwice."
    assert line["request_id"] == "abc"
    assert line["level"] == "error"
    assert line["logger"] == "brain.x"
    assert "request_id" not in line_of("Another one")


def test_a_secret_reaches_neither_message_nor_traceback() -> None:
    secret = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"

    line = json.dumps(line_of(f"The key is {secret}", fails=True))

    assert secret not in line


def test_a_report_has_the_kind_of_an_error_and_no_text() -> None:
    event: dict[str, object] = {
        "message": "private",
        "request": {"data": "private"},
        "exception": {"values": [{"type": "IntegrityError", "value": "private"}]},
    }

    assert without_contents(event, {}) == {"exception": {"values": [{"type": "IntegrityError"}]}}


def test_reports_without_their_package_stop_the_start_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)

    with pytest.raises(ImproperlyConfigured, match="pip install sentry-sdk"):
        report_errors_to("https://key@example.org/1", release="1")
