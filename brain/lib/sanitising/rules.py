"""What a rule is: a name, a pattern, a check, and what it was tried with."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from brain.lib.errors import DomainError
from brain.lib.sanitising.values import is_placeholder

Match = re.Match[str]


class SecretRefusedError(DomainError):
    code = "secret_refused"
    hint = "Save where the key is kept instead of the key."


def is_real(match: Match) -> bool:
    """Tell whether what was found is more than a stand-in from documentation."""
    return not is_placeholder(match[0])


@dataclass(frozen=True, slots=True)
class Rule:
    """One type of secret or of personal data.

    Where `pattern` matches, one of `hints` stands in the text (in small letters), so that most
    rules cost one look. The groups `secret`, `quoted` and `bare` say what is replaced; without
    them it is the whole match. With a `refusal` nothing is written at all.

    `hits` and `lookalikes` are what the tests try. `<hex 40>` in them stands for made-up
    characters: nothing secret-shaped is kept in the sources.
    """

    name: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    hits: tuple[str, ...]
    lookalikes: tuple[str, ...] = ()
    check: Callable[[Match], bool] = is_real
    refusal: str = ""


def shaped(
    name: str,
    shapes: str,
    *,
    hints: str,
    hits: tuple[str, ...],
    lookalikes: tuple[str, ...] = (),
    check: Callable[[Match], bool] = is_real,
) -> Rule:
    """Return the rule for keys that are known by their shape alone; `hints` are divided by blanks.

    The key is a word of its own: what a longer word contains is something else.
    """
    pattern = re.compile(rf"(?<![A-Za-z0-9])(?:{shapes})(?![A-Za-z0-9])")
    return Rule(name, pattern, tuple(hints.split()), hits, lookalikes, check)


def span(match: Match) -> tuple[int, int]:
    """Return where the secret of a match stands; the full stop after it stays."""
    groups = match.re.groupindex
    for name in ("secret", "quoted", "bare"):
        if name in groups and match.start(name) >= 0:
            start, end = match.span(name)
            text = match[name]
            return start, end - (len(text) - len(text.rstrip(".,;:)]}?"))) * (name == "bare")
    return match.span()
