"""Secret-shaped text from the examples of the rules, made at run time."""

import random
import re

_HEX = "0123456789abcdef"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_DIGITS = "0123456789"
ALPHABETS = {
    "hex": _HEX,
    "digit": _DIGITS,
    "lower": _LOWER + _DIGITS,
    "upper": _UPPER + "234567",
    "alpha": _LOWER + _UPPER,
    "alnum": _LOWER + _UPPER + _DIGITS,
    "token": _LOWER + _UPPER + _DIGITS + "_-",
    "base64": _LOWER + _UPPER + _DIGITS + "+/",
    "base58": (_LOWER + _UPPER + "23456789").replace("l", "").replace("I", "").replace("O", ""),
    "mixed": _LOWER + _UPPER + _DIGITS,
}
_BLANK = re.compile(r"<([a-z0-9]+) ([0-9]+)>")


def made_up(example: str, *, seed: int = 1) -> str:
    """Return the example with drawn characters in its blanks: `<hex 40>`."""
    drawn = random.Random(f"{seed}{example}")  # noqa: S311  nothing here is secret
    return _BLANK.sub(lambda blank: _draw(blank[1], int(blank[2]), drawn), example)


def drawn_for(example: str, *, seed: int = 1) -> list[str]:
    """Return what `made_up` writes into the blanks: the secret itself."""
    drawn = random.Random(f"{seed}{example}")  # noqa: S311  nothing here is secret
    return [_draw(kind, int(length), drawn) for kind, length in _BLANK.findall(example)]


def _draw(kind: str, length: int, drawn: random.Random) -> str:
    alphabet = ALPHABETS[kind]
    value = "".join(drawn.choice(alphabet) for _ in range(length))
    inner = alphabet.replace("-", "").replace("_", "").replace("+", "").replace("/", "")
    if length > 1:
        # Ends that a full stop or a boundary can't take away; digits and letters in both.
        value = drawn.choice(inner) + value[1:-1] + drawn.choice(inner)
    if length >= 6 and kind not in {"digit", "alpha"}:
        value = value[:2] + "7" + value[3:4] + next(c for c in inner if c.isalpha()) + value[5:]
    return value
