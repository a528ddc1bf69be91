"""Where a memory lies: `Project.Auth.Strategy`, written in several ways."""

import re
import unicodedata
from dataclasses import dataclass

from brain.lib.errors import DomainError

MAX_SEGMENTS = 10
MAX_LENGTH = 255
# Letters and marks that leave nothing on the page (Unicode, Default_Ignorable_Code_Point): with
# one of them, two paths would look the same.
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_SEPARATORS = re.compile(r"\s*(?:::|/|\s>\s|\.)\s*")


class PathError(DomainError):
    code = "bad_path"
    hint = "Use a dotted path such as Project.Auth.Strategy."


@dataclass(frozen=True, slots=True)
class Path:
    """A path as it is shown, and the key by which it is compared."""

    text: str
    key: str


def path(raw: str) -> Path:
    """Read a path; `/`, `::` and ` > ` are taken as dots and spaces as `-`.

    Raises PathError when a segment is empty or has a character that is not a letter, a digit,
    `_` or `-`, or when there are too many segments or characters.
    """
    text = unicodedata.normalize("NFC", raw).strip().strip("/")
    segments = ["-".join(part.split()) for part in _SEPARATORS.split(text)]
    if not any(segments):
        raise PathError("The path is empty.")
    if not all(segments):
        raise PathError("The path has an empty segment.")
    if len(segments) > MAX_SEGMENTS:
        raise PathError(
            "The path has %(count)d segments; the limit is %(limit)d.",
            count=len(segments),
            limit=MAX_SEGMENTS,
        )
    for char in "".join(segments):
        if not is_allowed(char):
            raise PathError(
                "The path contains U+%(code)04X; only letters, digits, _ and - are allowed.",
                code=ord(char),
            )
    shown = ".".join(segments)
    read = Path(shown, key_of(shown))
    # Some letters become two when case is ignored (Unicode Standard, 5.18): ß is ss.
    length = max(len(read.text), len(read.key))
    if length > MAX_LENGTH:
        raise PathError(
            "The path has %(count)d characters; the limit is %(limit)d.",
            count=length,
            limit=MAX_LENGTH,
        )
    return read


def key_of(text: str) -> str:
    """Return the form in which paths are compared: without regard to case."""
    return unicodedata.normalize("NFC", text.casefold())


def is_allowed(char: str) -> bool:
    """Say whether a segment of a path may have this character."""
    if _UNSEEN.match(char):
        return False
    # Marks belong to letters in many scripts (Unicode general category M).
    return char in "_-" or char.isdecimal() or unicodedata.category(char)[0] in "LM"
