"""What may be said of an error where operators read it: never a text of a memory."""

import re
import traceback
from dataclasses import dataclass
from types import TracebackType

from celery.utils.serialization import UnpickleableExceptionWrapper
from django.conf import settings
from django.db import Error as DatabaseError

from brain.lib.sanitising import without_secrets

LINE = 300
_OURS = ("accounts", "brain", "memories", "mcp_gateway", "spaces")
# Whatever stands in quotes or after the first line may be a value of a row.
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|«[^»]*»|\([^()]*=[^()]*\)")


@dataclass(frozen=True, slots=True)
class Mishap:
    """The class of an error, its first line as far as it may be shown, and where it happened."""

    error_class: str
    line: str
    place: str


def mishap(error: BaseException) -> Mishap:
    """Describe an error; only what the database, the system or this product says is repeated."""
    return Mishap(
        error_class=_name(error)[:100],
        line=_line(error) if _is_known(error) else "",
        place=_place(error.__traceback__)[:200],
    )


def _name(error: BaseException) -> str:
    # What cannot be pickled comes in a wrapper.
    if isinstance(error, UnpickleableExceptionWrapper):
        return str(error.exc_cls_name)
    return type(error).__name__


def _is_known(error: BaseException) -> bool:
    is_ours = type(error).__module__.partition(".")[0] in _OURS
    return is_ours or isinstance(error, DatabaseError | OSError)


def _line(error: BaseException) -> str:
    first, *_ = str(error).strip().splitlines() or [""]
    return without_secrets(_QUOTED.sub("…", first)).text[:LINE]


def _place(trace: TracebackType | None) -> str:
    """Return the last line of our own code that the error passed."""
    frames = traceback.extract_tb(trace)
    root = f"{settings.BASE_DIR}/"
    ours = [frame for frame in frames if frame.filename.startswith(root)]
    ours = [frame for frame in ours if "/.venv/" not in frame.filename] or frames
    if not ours:
        return ""
    last = ours[-1]
    return f"{last.filename.removeprefix(root)}:{last.lineno} {last.name}"
