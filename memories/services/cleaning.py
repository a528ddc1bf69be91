"""Every string that reaches a row passes here: readable, bounded, without secrets."""

from collections import Counter

from brain.lib.errors import DomainError
from brain.lib.sanitising import Tree, clean_text, clean_tree, sanitize_write, without_secrets
from brain.lib.text import visible_length
from spaces.models import Space

CONTENT_MIN, CONTENT_MAX = 12, 4000
SOURCE_MAX, RATIONALE_MAX, REASON_MAX = 500, 1000, 500
TASK_MAX, FIELD_MAX, PATH_MAX = 200, 2000, 1000


class ContentError(DomainError):
    code = "bad_content"
    hint = f"Send one statement of {CONTENT_MIN} to {CONTENT_MAX} characters."


class Cleaner:
    """Cleans the strings of one write to a space and counts what it replaced, by type."""

    def __init__(self, space: Space) -> None:
        self.redacted: Counter[str] = Counter()
        self._with_personal = space.auto_redact_pii

    def text(self, text: str, *, limit: int, what: str) -> str:
        """Return `text` without secrets; blank text comes back empty.

        Raises TooLongError, UnreadableTextError or SecretRefusedError.
        """
        clean = clean_text(text, limit=limit, what=what, with_personal=self._with_personal)
        self.redacted += clean.types
        return clean.text

    def path(self, text: str) -> str:
        """Return a path without secrets, for `rules.paths.path` to read."""
        clean = clean_text(
            text, limit=PATH_MAX, what="The path", with_personal=self._with_personal, in_path=True
        )
        self.redacted += clean.types
        return clean.text

    def content(self, text: str) -> str:
        """Return the content of a memory; it must say something."""
        length = _length(text)
        if not length:
            raise ContentError("The content is empty.")
        if length < CONTENT_MIN:
            raise ContentError("The content has only %(count)d characters.", count=length)
        return self.text(text, limit=CONTENT_MAX, what="The content")

    def again(self, text: str, *, in_path: bool = False) -> str:
        """Return a text that was stored before, by what is known today, however long it is.

        Nothing is refused: a private key becomes a marker as well.
        """
        clean = without_secrets(text, with_personal=self._with_personal, in_path=in_path)
        self.redacted += clean.types
        return clean.text

    def tree(self, value: Tree) -> Tree:
        """Return JSON with every text in it cleaned; raises SecretRefusedError."""
        return clean_tree(value, self._strictly)

    def tree_again(self, value: Tree) -> Tree:
        """Return JSON that was stored before."""
        return clean_tree(value, self.again)

    def _strictly(self, text: str) -> str:
        clean = sanitize_write(text, with_personal=self._with_personal)
        self.redacted += clean.types
        return clean.text


def _length(text: str) -> int:
    """Count what a reader sees: visible characters, and one blank between words."""
    words = [length for word in text.split() if (length := visible_length(word))]
    return sum(words) + max(len(words) - 1, 0)
