"""Single fields: readable, bounded, without secrets."""

from collections.abc import Callable

from brain.lib.sanitising.sanitize import Sanitized, sanitize_write
from brain.lib.text import TooLongError, readable

Tree = dict[str, "Tree"] | list["Tree"] | str | int | float | bool | None


def clean_text(
    text: str, *, limit: int, what: str, with_personal: bool = False, in_path: bool = False
) -> Sanitized:
    """Return `text` sanitised; blank text comes back empty.

    Raises TooLongError, UnreadableTextError or SecretRefusedError; `what` names the text in
    their sentences. A marker may be longer than what it stands for: then the result is longer
    than `limit`.
    """
    _check_length(text, limit=limit, what=what)
    clean = sanitize_write(text, with_personal=with_personal, in_path=in_path)
    return Sanitized(readable(clean.text, limit=len(clean.text), what=what), clean.types)


def clean_line(text: str, *, limit: int, what: str) -> str:
    """Return a name: one line, without secrets, no longer than `limit` with its markers."""
    line = " ".join(text.split())
    clean = clean_text(line, limit=limit, what=what).text
    return readable(" ".join(clean.split()), limit=limit, what=what)


def clean_tree(value: Tree, clean: Callable[[str], str]) -> Tree:
    """Return JSON with `clean` applied to every key and text in it."""
    if isinstance(value, dict):
        return {
            clean(key): _beside(key, clean_tree(item, clean), clean) for key, item in value.items()
        }
    if isinstance(value, list):
        return [clean_tree(item, clean) for item in value]
    return clean(value) if isinstance(value, str) else value


def _beside(key: str, value: Tree, clean: Callable[[str], str]) -> Tree:
    """Read a text beside its key: `{"password": "…"}` says what the text alone does not."""
    if not isinstance(value, str) or "\n" in value or '"' in value:
        return value
    start = f'{key}="'
    pair = clean(f'{start}{value}"')
    return pair.removeprefix(start).removesuffix('"') if pair.startswith(start) else value


def _check_length(text: str, *, limit: int, what: str) -> None:
    if len(text) > limit:
        raise TooLongError(
            "%(what)s has %(count)d characters; the limit is %(limit)d.",
            hint="Shorten it.",
            what=what,
            count=len(text),
            limit=limit,
        )
