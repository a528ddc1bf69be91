"""Text that people and agents send: what can be stored, what can be seen."""

import unicodedata

from brain.lib.errors import DomainError

# Unicode general categories (Unicode Standard, 4.5) that leave nothing on the page.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
_ALSO_BLANK = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u034f"}


class UnreadableTextError(DomainError):
    code = "unreadable_text"
    hint = "Send plain text."


class TooLongError(DomainError):
    code = "too_long"


def visible_length(text: str) -> int:
    """Return how many characters of `text` leave a mark on the page."""
    return sum(
        unicodedata.category(char) not in _INVISIBLE and char not in _ALSO_BLANK for char in text
    )


def readable(text: str, *, limit: int, what: str) -> str:
    """Return `text` unchanged, if it can be stored and read and is no longer than `limit`.

    `what` names the text in the refusal ("The source"); blank text comes back empty.
    """
    if len(text) > limit:
        raise TooLongError(
            "%(what)s has %(count)d characters; the limit is %(limit)d.",
            hint="Shorten it.",
            what=what,
            count=len(text),
            limit=limit,
        )
    for char in text:
        if unicodedata.category(char) == "Cs" or (char < " " and char not in "\t\n\r"):
            raise UnreadableTextError(
                "%(what)s contains a control character (U+%(code)04X).", what=what, code=ord(char)
            )
    return text if visible_length(text) else ""


def one_line(text: str, *, limit: int, what: str) -> str:
    """Return `text` trimmed, with every run of white space as one blank, refused as above."""
    return readable(" ".join(text.split()), limit=limit, what=what)
