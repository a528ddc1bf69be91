"""Secrets of the best-known shapes, replaced before anything is stored.

A first set: shapes that cannot be mistaken for anything else. Text without a match comes
back byte for byte. Private keys and AWS secrets refuse the write.
"""

import re
from collections import Counter
from dataclasses import dataclass

from brain.lib.errors import DomainError


class SecretRefusedError(DomainError):
    code = "secret_refused"
    hint = "Save where the key is kept instead of the key."


@dataclass(frozen=True, slots=True)
class Redacted:
    """The clean text, and how many values of each type were replaced."""

    text: str
    types: Counter[str]


_PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_AWS_SECRET = re.compile(
    r"(?i)aws_?secret_?(?:access_?)?key[\"']?\s{0,5}[:=]\s{0,5}[\"']?[a-z0-9/+]{40}(?![a-z0-9/+])"
)
_RULES = {
    "jwt": re.compile(r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
    "aws_access_key_id": re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "github_token": re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{60,255})\b"),
    "gitlab_token": re.compile(r"\bglpat-[\w-]{20,64}"),
    "slack_token": re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}"),
    "stripe_key": re.compile(r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,128}\b"),
    "anthropic_key": re.compile(r"\bsk-ant-[\w-]{20,200}"),
    # A digit and a capital: "sk-learn-contrib-and-so-on" is a name.
    "openai_key": re.compile(r"\bsk-(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Z])[A-Za-z0-9_-]{20,200}"),
    "google_api_key": re.compile(r"\bAIza[\w-]{35}\b"),
    "npm_token": re.compile(r"\bnpm_[A-Za-z0-9]{36}\b"),
    "pypi_token": re.compile(r"\bpypi-[\w-]{50,250}"),
    "agents_brain_key": re.compile(r"\bbrain_[\w-]{32,200}"),
    "password_in_url": re.compile(r"(?<=://)[^\s/:@]{1,100}:[^\s/@]{1,200}(?=@)"),
    "bearer_token": re.compile(r"(?i)(?<=authorization: bearer )[\w.~+/=-]{12,2000}"),
}


def redact(text: str) -> Redacted:
    """Replace each secret by a labelled marker such as `[redacted: jwt]`.

    Raises SecretRefusedError for a private key, however it is armoured, and for an AWS secret.
    """
    if _PRIVATE_KEY.search(text):
        raise SecretRefusedError("A private key is never stored.")
    if _AWS_SECRET.search(text):
        raise SecretRefusedError("A secret key of AWS is never stored.")
    types: Counter[str] = Counter()
    for name, pattern in _RULES.items():
        text, count = pattern.subn(f"[redacted: {name}]", text)
        if count:
            types[name] += count
    return Redacted(text, types)
