"""Every string that reaches a row passes here: readable, bounded, without secrets."""

from collections import Counter

from brain.lib.errors import DomainError
from brain.lib.text import readable, visible_length
from memories.rules.redaction import redact

CONTENT_MIN, CONTENT_MAX = 12, 4000
SOURCE_MAX, RATIONALE_MAX, REASON_MAX = 500, 1000, 500
TASK_MAX, FIELD_MAX = 200, 2000


class ContentError(DomainError):
    code = "bad_content"
    hint = f"Send one statement of {CONTENT_MIN} to {CONTENT_MAX} characters."


class Cleaner:
    """Cleans the strings of one write and counts what it replaced, by type."""

    def __init__(self) -> None:
        self.redacted: Counter[str] = Counter()

    def text(self, text: str, *, limit: int, what: str) -> str:
        """Return `text` without secrets; blank text comes back empty.

        Raises TooLongError, UnreadableTextError or SecretRefusedError.
        """
        found = redact(readable(text, limit=limit, what=what))
        self.redacted += found.types
        return found.text

    def content(self, text: str) -> str:
        """Return the content of a memory; it must say something."""
        length = _length(text)
        if not length:
            raise ContentError("The content is empty.")
        if length < CONTENT_MIN:
            raise ContentError(f"The content has only {length} characters.")
        return self.text(text, limit=CONTENT_MAX, what="The content")


def _length(text: str) -> int:
    """Count what a reader sees: visible characters, and one blank between words."""
    words = [length for word in text.split() if (length := visible_length(word))]
    return sum(words) + max(len(words) - 1, 0)
