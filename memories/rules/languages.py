"""Which of the two languages of the product a short text is in."""

import re
from typing import Literal

Language = Literal["en", "pt", ""]
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    "the of and to in is are was were do does did what which who whom whose when where why how "
    "with for from on at by an this that these those we i you he she they our my your his her "
    "their it its has have had be been can could should would will not about there".split()
)
_PORTUGUESE = frozenset(
    "o os as um uma de da dos das do em no na nos nas por para com que qual quais quem quando onde "
    "como porque é são foi era está estão tem têm não eu nós ele ela eles elas meu minha nosso "
    "nossa seu sua ao à pelo pela se mais já sobre isso este esta esse essa ou e a".split()
)
# Letters that English words hardly have and Portuguese ones often do.
_ACCENTED = re.compile("[áâãàçéêíóôõú]")


def language_of(text: str) -> Language:
    """Return the language, or nothing when the text does not tell."""
    words = _WORD.findall(text.lower())
    english = sum(word in _ENGLISH for word in words)
    portuguese = sum(word in _PORTUGUESE for word in words)
    portuguese += sum(bool(_ACCENTED.search(word)) for word in words)
    if english == portuguese:
        return ""
    return "en" if english > portuguese else "pt"
