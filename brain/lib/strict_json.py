"""JSON as RFC 8259 has it, and no more: no NaN, no name twice, no depth without end."""

import json
from collections.abc import Sequence
from typing import NoReturn

MAX_DEPTH = 50


class NotJsonError(ValueError):
    """The text is not JSON, or is more than is taken; the message quotes none of it."""


def strict_json(text: str | bytes) -> object:
    """Return what the text says. Raises NotJsonError."""
    try:
        value: object = json.loads(text, object_pairs_hook=_only_once, parse_constant=_no_constant)
    except NotJsonError:
        raise
    except RecursionError:
        raise NotJsonError("The JSON is nested too deeply.") from None
    except (ValueError, UnicodeDecodeError):
        raise NotJsonError("This is not JSON.") from None
    _check_depth(value)
    return value


def _only_once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    names = dict(pairs)
    if len(names) != len(pairs):
        raise NotJsonError("A name stands twice in an object of the JSON.")
    return names


def _no_constant(name: str) -> NoReturn:  # noqa: ARG001
    raise NotJsonError("JSON has no NaN and no Infinity.")


def _check_depth(value: object) -> None:
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise NotJsonError("The JSON is nested too deeply.")
        level = [
            child
            for each in level
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
