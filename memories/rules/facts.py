"""When two texts state the same fact.

Only what cannot change a meaning is ignored: letter case, white space, invisible characters,
the full stop at the end, and the Unicode form (NFC; NFKC would turn "10²" into "102").
"""

import hashlib
import re
import unicodedata

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_FINAL = " .!,;:…。！"  # noqa: RUF001  full-width forms are meant
# A short word after a number is a unit, and case tells units apart: mW and MW, Mb and MB.
_NUMBER_AND_UNIT = re.compile(r"(?<![^\W\d_])(\d[\d.,]*\s?)([^\W\d_]{1,3})(?![^\W_])")


def normalised(text: str) -> str:
    """Return `text` in the form in which facts are compared."""
    text = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    text = " ".join(text.split())
    return unicodedata.normalize("NFC", _lower_but_units(text)).rstrip(_FINAL)


def wording(text: str) -> str:
    """Return the words of `text` in their order: equal for texts that differ in punctuation.

    Signs stay where they mean something: "-5" is not "5", and "C++" is not "C".
    """
    return " ".join(word.strip(_FINAL + "\"'?") or word for word in normalised(text).split())


def fact_key(text: str) -> str:
    """Return the SHA-256 (hex) of the normalised text: equal for two texts of one fact."""
    return sha256(normalised(text))


def sha256(text: str) -> str:
    """Return the SHA-256 (hex) of the UTF-8 bytes of `text`, as they are stored."""
    return hashlib.sha256(text.encode()).hexdigest()


def _lower_but_units(text: str) -> str:
    parts: list[str] = []
    end = 0
    for match in _NUMBER_AND_UNIT.finditer(text):
        parts += [text[end : match.start(2)].lower(), match[2]]
        end = match.end(2)
    return "".join([*parts, text[end:].lower()])
