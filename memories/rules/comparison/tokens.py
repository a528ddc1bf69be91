"""A text cut into tokens: words, numbers, code, and marks that end a clause."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum


class Shape(StrEnum):
    """What a token looks like, before anybody knows its language."""

    WORD = "word"
    NUMBER = "number"
    VERSION = "version"
    DATE = "date"
    CLOCK = "clock"
    CODE = "code"
    SIGN = "sign"
    BREAK = "break"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is as written; `low` is what words are compared by; `is_first` opens a sentence."""

    shape: Shape
    text: str
    low: str
    is_first: bool = False


# Each quantifier below is bounded or possessive by construction: no input makes it backtrack.
_TOKENS = re.compile(
    r"""
    (?P<code>`[^`\n]{1,200}`
      |[a-zA-Z][a-zA-Z+.-]{1,20}://[^\s<>"')\]]{1,400}
      |(?<![\w-])--?[a-zA-Z][\w-]{0,60}(?:=[^\s,;]{1,60})?
      |(?<!\w)[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}
      |(?<![\w/])(?:~|\.{1,2})?(?:/[\w.@{}<>*-]{0,80}[\w}>*])+/?
      |(?<![\w/])[^\W\d][\w.-]{0,80}(?:/[\w.@*-]{0,80}\w)+/?
      |(?<!\w)[^\W\d][\w-]{0,60}(?:\.[^\W\d][\w-]{0,30}){1,6}(?:\(\))?(?!\w)
      |(?<!\w)[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}(?!\w)
      |(?<!\w)[^\W\d]\w{0,60}\(\)
      |(?<!\w)(?=\w{0,80}_)\w{2,80}(?!\w)
      |(?<!\w)[a-z]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,8}(?!\w))
    |(?P<date>\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b)
    |(?P<clock>\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d{1,2}h\d{2}\b)
    |(?P<version>\b[vV]\d{1,6}(?:\.\d{1,6}){0,4}(?:-?(?:alpha|beta|rc|a|b|dev)\.?\d{0,4})?\b
      |\b\d{1,6}(?:\.\d{1,6}){2,4}(?![.,]?\d)(?:-?(?:alpha|beta|rc|a|b|dev)\.?\d{0,4})?\b)
    |(?P<number>(?<![\w.])[-\u2212]?\d{1,40}(?:[.,]\d{1,40}){0,9}|\d{1,40}(?:[.,]\d{1,40}){0,9})
    |(?P<word>R\$|US\$|[^\W\d_][^\W_]{0,80}(?:(?:['\u2019][^\W_]{1,20}|-[^\W_]{1,40}){1,5}(?:\.\d{1,6}){0,3})?(?:\+\+|\#)?|[^\W\d_])
    |(?P<break>[.;:!?\n()\[\]{}\u2014\u2013\u3002\uff0c\uff01\uff1f\u3001,|\u2026])
    |(?P<sign>[^\w\s])
    """,
    re.VERBOSE,
)
_QUOTES = dict.fromkeys(map(ord, "\"'*_\u201c\u201d\u2018\u00ab\u00bb"))
_SENTENCE_ENDS = ".!?\n\u3002\uff01\uff1f"
# Written without spaces: each character is taken as a word.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_SHORTENED = {"can": "can", "won": "will", "shan": "shall"}
_ENDINGS = {"s": "is", "re": "are", "ll": "will", "ve": "have", "m": "am"}
_PRONOUNS = frozenset("i it he she we you they that there this what who here".split())
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))


def tokens(text: str) -> list[Token]:
    """Cut `text` into tokens; quotation marks and white space are left out."""
    text = unicodedata.normalize("NFC", text.translate(_INVISIBLE)).replace("\u2019", "'")
    found: list[Token] = []
    is_first = True
    for match in _TOKENS.finditer(_UNSPACED.sub(r" \g<0> ", text)):
        shape, written = Shape(str(match.lastgroup)), match[0]
        if shape is Shape.SIGN and not written.translate(_QUOTES):
            continue
        found += _tokens(shape, written, is_first=is_first)
        is_first = shape is Shape.BREAK and written in _SENTENCE_ENDS
    return found


def _tokens(shape: Shape, written: str, *, is_first: bool) -> list[Token]:
    if shape is Shape.CODE:
        written = written.strip("`").rstrip("/.") or written
        return [Token(shape, written, written, is_first)]
    low = written.casefold()
    if low == "cannot":
        return [
            Token(shape, written[:3], "can", is_first),
            Token(shape, written[3:], "not"),
        ]
    if "'" not in low or shape is not Shape.WORD:
        return [Token(shape, written, low, is_first)]
    head, _, tail = low.rpartition("'")
    if tail == "t" and head.endswith("n"):
        words = (_SHORTENED.get(head, head[:-1]), "not")
    elif tail in _ENDINGS and head in _PRONOUNS:
        words = (head, _ENDINGS[tail])
    else:
        words = (head, f"'{tail}")
    return [
        Token(shape, written[: len(word)] if number == 0 else word, word, is_first and number == 0)
        for number, word in enumerate(words)
    ]
