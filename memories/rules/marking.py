"""Which part of a text answers a search, for a reader who looks for the reason."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

WORD = re.compile(r"\w+(?:['\u2019./:+#-]+\w+)*[+#]*")
# In a path a dot parts words, as it does for the search.
SEGMENT = re.compile(r"[^.]+")
# A text whose first match lies further in begins shortly before it.
LEAD = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text; `is_match` when it is what was searched for."""

    text: str
    is_match: bool = False


def words_of(text: str, word: re.Pattern[str] = WORD) -> list[str]:
    """Return the words of a text as they are written, each once."""
    return list(dict.fromkeys(match[0] for match in word.finditer(text)))


def words_marked(text: str, words: Collection[str], word: re.Pattern[str] = WORD) -> list[Piece]:
    """Cut `text` into pieces, of which those are matches that are one of `words`."""
    return _pieces(text, (m.span() for m in word.finditer(text) if m[0] in words))


def passages_marked(text: str, wanted: str) -> list[Piece]:
    """Cut `text` into pieces: every passage that reads like `wanted`, whatever case and accents."""
    folded, places = _folded(text)
    needle, _ = _folded(wanted)
    return _pieces(text, _occurrences(folded, needle, places) if needle else ())


def has_match(pieces: Iterable[Piece]) -> bool:
    return any(piece.is_match for piece in pieces)


def shortened(pieces: Sequence[Piece], *, limit: int) -> list[Piece]:
    """Return `limit` characters around the first match, with dots where text is left out."""
    length = sum(len(piece.text) for piece in pieces)
    start = _beginning(pieces, limit=limit)
    shown = [Piece("… ")] if start else []
    place = 0
    for piece in pieces:
        part = piece.text[max(0, start - place) : max(0, start + limit - place)]
        place += len(piece.text)
        if part:
            shown.append(Piece(part, piece.is_match))
    if start + limit < length:
        shown.append(Piece(" …"))
    return shown


def _beginning(pieces: Sequence[Piece], *, limit: int) -> int:
    """Return where to begin, so that the first match is among what is shown."""
    before = "".join(piece.text for piece in takewhile(lambda each: not each.is_match, pieces))
    if len(before) <= limit // 2 or not has_match(pieces):
        return 0
    place = max(0, len(before) - LEAD)
    return before.rfind(" ", 0, place) + 1 or place


def _folded(text: str) -> tuple[str, list[int]]:
    """Return the text without case and accents, and where each of its characters came from."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for part in unicodedata.normalize("NFKD", char).casefold():
            if not unicodedata.combining(part):
                chars.append(part)
                places.append(place)
    return "".join(chars), places


def _occurrences(folded: str, needle: str, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    place = folded.find(needle)
    while place >= 0:
        end = place + len(needle)
        yield places[place], places[end - 1] + 1
        place = folded.find(needle, end)


def _pieces(text: str, spans: Iterable[tuple[int, int]]) -> list[Piece]:
    pieces, end = [], 0
    for start, stop in spans:
        if end < start:
            pieces.append(Piece(text[end:start]))
        if stop > max(start, end):
            pieces.append(Piece(text[max(start, end) : stop], is_match=True))
            end = stop
    if end < len(text):
        pieces.append(Piece(text[end:]))
    return pieces
