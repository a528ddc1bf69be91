"""Characters that a reader cannot see, and that can make a text read as another one."""

import unicodedata
from collections.abc import Iterator

from brain.lib.sanitising.unseen import hidden_places

# Unicode general categories (Unicode Standard, 4.5): control, format, line and paragraph ends.
_UNSEEN = {"Cc", "Cf", "Zl", "Zp"}
_LINES = {"\n", "\r", "\t"}
# Emoji and many scripts are written with these.
_JOINERS = {"\u200c", "\u200d"}
# Letters that are drawn as nothing.
_BLANK_LETTERS = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Cut `text` into runs that can be shown as they are and single characters that can't.

    Each piece says whether it is such a character; joined together they are the text again.
    """
    start = 0
    hidden, flags = hidden_places(text)
    for place, char in enumerate(text):
        # Most variation selectors change how a character looks; the hidden ones carry a message.
        is_message = place in hidden and unicodedata.category(char) == "Mn"
        if (_is_unseen(char) or is_message) and place not in flags:
            if start < place:
                yield text[start:place], False
            yield char, True
            start = place + 1
    if start < len(text):
        yield text[start:], False


def _is_unseen(char: str) -> bool:
    if char in _LINES or char in _JOINERS:
        return False
    return unicodedata.category(char) in _UNSEEN or char in _BLANK_LETTERS
