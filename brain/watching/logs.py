"""Log lines as JSON, one object a line, each with the id of its request."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from structlog.typing import EventDict, Processor

_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def json_formatter() -> logging.Formatter:
    """Return what turns records of the standard library into JSON.

    Secrets are gone by then: the filter works on the record, before any formatter.
    """
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _with_traceback,
            structlog.processors.JSONRenderer(),
        ],
    )


def _with_traceback(_logger: object, _name: str, event: EventDict) -> EventDict:
    event.pop("exc_info", None)
    return event


@contextmanager
def logged_as(request_id: str) -> Iterator[None]:
    """Name the request in every line that is logged inside the block."""
    with structlog.contextvars.bound_contextvars(request_id=request_id):
        yield
