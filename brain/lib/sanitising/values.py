"""What a value looks like: made up, a reference, a plain word, or random."""

import itertools
import math
import re
from collections import Counter

_STAND_INS = frozenset(
    """
    password passwd passphrase passcode pass pwd senha secret segredo token key apikey api_key
    api-key changeme change-me change_me changeit example exemplo foobar foo bar baz dummy sample
    placeholder todo tbd none null nil true false undefined unset empty yes no redacted hidden
    removed omitted masked user username usuario login value valor string text str int bool
    """.split()
)
_STAND_IN = re.compile(
    r"""(?ix) example | exemplo | placeholder | changeme | redacted | \*{3} | \.{3} | …
    | (?-i:x{5}|X{5}|x{3,4}$)
    | ^(?:your|my|sua|seu|minha|meu|insert|enter|replace|put|some|the)[-_ ]?
      (?:[a-z]{1,12}[-_ ]){0,3}(?:password|passwd|secret|key|token|senha|chave|value|here|aqui)\b
    | \b(?:your|sua|seu)[-_ ] | [-_ ](?:here|aqui)$ | ^(.)\1+$
    """
)
_STARTS_OF_VARIABLES = ("<", "{", "$", "%", "[", "(", "*", "!$", "@{", "#{", "&lt;", "&#")
_REFERENCE = re.compile(
    r"""(?x) [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+                      # A_VARIABLE
    | (?:[A-Za-z]:\\|~/|\.{1,2}/|/)[\w.\\/ -]*                  # a path
    | (?:op|vault|file|env|arn|ssm|secretsmanager|https?|gs|s3|kv)[:/][^\s]*
    | (?:secrets?|projects|kv|vault)/[\w./-]+
    | [@#.!][A-Za-z_-]+                                         # an array, a selector, a YAML tag
    | (?:self|this|req|request|config|settings|env|process|os|user|data|args|props|params|ctx
        |options|body|form|secrets|vault|var|local|module|input|conf|cfg|app|creds|credentials
      )(?:\.\w+)+
    | [a-z_]+(?:\.[a-z_]+)+
    """
)
_CALL = re.compile(r"[A-Za-z_]+(?:\.\w+)*[(\[].*|[A-Za-z_]\w*(?:\.\w+)+[(\[].*")
_IDENTIFIER = re.compile(r"[a-z]+(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+|(?:[A-Z][a-z]+){2,}")
_TECHNICAL = re.compile(
    r"""(?ix) (?:scram-)?
    (?:sha|md|aes|des|hmac|hs|rs|es|ps|rsa|ed|ec|ecdsa|utf|base|oauth|tls|ssl|argon|pbkdf|bcrypt|scrypt|pkcs|http|ipv|s|v|k|h|x|web|blake|crc|log|totp|saml|ldap|fido|u)
    -?[0-9]{1,5}[a-z]{0,3} | 1password | keepassxc? | i18n | l10n | p12 | k8s
    """
)
_MEASURE = re.compile(
    r"""(?ix) v?[0-9]+(?:\.[0-9]+)+ | [0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?:T[0-9:.Z+-]*)?
    | [<>≤≥~]?[0-9]{1,5}(?:[-–][0-9]{1,5})?[+%]?
      (?:ms|s|secs?|mins?|h|hrs?|d|days?|dias?|w|m|chars?|characters?|bits?|bytes?|[kmg]b|x)?
    """  # noqa: RUF001  the en dash is meant
)
_UUID = re.compile(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_DIGEST = re.compile(r"(?i)(?:sha[0-9]{1,3}[-:])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56,128})")
_INTEGRITY = re.compile(r"sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}")
_SEEN_AS_MIXED = 16
_PIECES = re.compile(r"[-_./:+ ]")


def is_placeholder(value: str) -> bool:
    """Tell whether the value only stands for another one: `<token>`, `$TOKEN`, `xxxx`."""
    if value.startswith(_STARTS_OF_VARIABLES) or value.lower() in _STAND_INS:
        return True
    return _STAND_IN.search(value) is not None


def is_reference(value: str, *, is_quoted: bool) -> bool:
    """Tell whether the value says where a secret is: a variable, a path, a call."""
    if _REFERENCE.fullmatch(value) and not looks_random(value, least=16):
        return True
    return not is_quoted and any(shape.fullmatch(value) for shape in (_IDENTIFIER, _CALL))


def is_term(value: str) -> bool:
    """Tell whether the value is a word of the trade, a number with its unit, or some of them."""
    pieces = [piece for piece in re.split(r"[-/+]", value) if piece]
    few_words = 3
    return bool(_MEASURE.fullmatch(value) or _TECHNICAL.fullmatch(value)) or (
        1 < len(pieces) <= few_words
        and all(is_word(piece) or _TECHNICAL.fullmatch(piece) for piece in pieces)
    )


def is_word(value: str) -> bool:
    """Tell whether the value is one plain word, as a sentence has it."""
    return value.isalpha() and value[1:] in {value[1:].lower(), value[1:].upper()}


def is_identity(value: str) -> bool:
    """Tell whether the value names or proves content: a UUID, a digest, an integrity attribute."""
    return any(shape.fullmatch(value) for shape in (_UUID, _DIGEST, _INTEGRITY))


def looks_random(value: str, *, least: int) -> bool:
    """Tell whether the value was drawn, not written: long, letters among digits, hardly repeating.

    A slug such as `release-2026-11-30` has both, but never inside of one piece.
    """
    if len(value) < least or entropy(value) < 2.7:  # noqa: PLR2004  measured: 8 drawn characters
        return False
    if len(value) >= _SEEN_AS_MIXED and _mixed(value):
        return True
    return any(
        len(piece) >= min(least, 8)
        and any(char.isdigit() for char in piece)
        and any(char.isalpha() for char in piece)
        for piece in _PIECES.split(value)
    )


def _mixed(value: str) -> bool:
    """Tell whether small letters, capitals and digits take turns as in no word or slug."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    turns = sum(before != after for before, after in itertools.pairwise(kinds))
    return len(set(kinds)) == len("dul") and turns >= 0.4 * len(kinds)


def entropy(value: str) -> float:
    """Return how many bits each character of the value tells (Shannon)."""
    length = len(value)
    return -sum(n / length * math.log2(n / length) for n in Counter(value).values())
