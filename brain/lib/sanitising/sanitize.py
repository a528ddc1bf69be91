"""The one function that every text passes before it is stored, logged or embedded."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from brain.lib.sanitising import (
    addresses,
    ai,
    cloud,
    code,
    commands,
    named,
    personal,
    refused,
    services,
    tokens,
)
from brain.lib.sanitising.rules import Rule, SecretRefusedError, span
from brain.lib.sanitising.unseen import without_hidden, without_joints

HIDDEN = "hidden_characters"
SECRETS: tuple[Rule, ...] = (
    *refused.RULES,
    *cloud.RULES,
    *code.RULES,
    *services.RULES,
    *ai.RULES,
    *tokens.RULES,
    *addresses.RULES,
    *named.RULES,
    *commands.RULES,
)
PERSONAL = personal.RULES
RULES = (*SECRETS, *PERSONAL)
_MARKER, _PATH_MARKER = "[redacted: {}]", "redacted-{}"


@dataclass(frozen=True, slots=True)
class Sanitized:
    """The clean text, and how many values of each type were taken out; never a value."""

    text: str
    types: Counter[str]

    @property
    def is_changed(self) -> bool:
        return bool(self.types)


def sanitize_write(text: str, *, with_personal: bool = False, in_path: bool = False) -> Sanitized:
    """Replace each secret by a labelled marker such as `[redacted: jwt]`.

    Personal data goes too when `with_personal` is set. Hidden characters are removed and
    counted. Everything else comes back byte for byte. Inside a path the marker is a legal
    segment. Raises SecretRefusedError for a private key and for a secret key of AWS.
    """
    rules = RULES if with_personal else SECRETS
    return _cleaned(text, rules, marker=_PATH_MARKER if in_path else _MARKER, refuse=True)


def without_secrets(text: str, *, with_personal: bool = False, in_path: bool = False) -> Sanitized:
    """Do the same where nothing can be refused: logs, names that programs send, old rows."""
    rules = RULES if with_personal else SECRETS
    marker = _PATH_MARKER if in_path else _MARKER
    return _cleaned(text, rules, marker=marker, refuse=False)


def _cleaned(text: str, rules: Iterable[Rule], *, marker: str, refuse: bool) -> Sanitized:
    seen, hidden = without_hidden(text)
    clean = _redacted(seen, rules, marker=marker, refuse=refuse)
    joined = without_joints(seen)
    if joined != seen:
        # A key in two halves with nothing visible between them is still the key.
        whole = _redacted(joined, rules, marker=marker, refuse=refuse)
        clean = whole if whole.types != clean.types else clean
    if hidden:
        clean.types[HIDDEN] += hidden
    return clean


def _redacted(text: str, rules: Iterable[Rule], *, marker: str, refuse: bool) -> Sanitized:
    types: Counter[str] = Counter()
    lower = text.lower()
    for rule in rules:
        if not any(hint in lower for hint in rule.hints):
            continue
        text, count = _without(text, rule, marker=marker.format(rule.name))
        if count and rule.refusal and refuse:
            raise SecretRefusedError(rule.refusal)
        if count:
            types[rule.name] += count
            lower = text.lower()
    return Sanitized(text, types)


def _without(text: str, rule: Rule, *, marker: str) -> tuple[str, int]:
    pieces: list[str] = []
    position = 0
    for match in rule.pattern.finditer(text):
        start, end = span(match)
        if start >= position and start < end and rule.check(match):
            pieces += [text[position:start], marker]
            position = end
    if not pieces:
        return text, 0
    return "".join([*pieces, text[position:]]), len(pieces) // 2
