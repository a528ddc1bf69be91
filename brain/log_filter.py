"""No secret in the log: every line passes the sanitiser on its way to a handler."""

import logging

from typing_extensions import override

from brain.lib.sanitising import without_secrets

_traceback = logging.Formatter()


class SecretFilter(logging.Filter):
    """Replace secrets in the message, in the traceback and in the stack of a record.

    Belongs on handlers: what other loggers pass up never meets the filter of a logger.
    """

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = without_secrets(_message(record)).text, None
        if record.exc_info and not record.exc_text:
            record.exc_text = _traceback.formatException(record.exc_info)
        if record.exc_text:
            # Formatters take this text instead of making their own.
            record.exc_text = without_secrets(record.exc_text).text
        if record.stack_info:
            record.stack_info = without_secrets(record.stack_info).text
        return True


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):
        # A mistake in the call must not cost the line; the arguments may hold anything.
        return f"{record.msg} (arguments do not fit)"
