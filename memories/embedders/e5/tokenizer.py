"""Cut a text into the pieces that the model knows (a unigram model, best path by Viterbi)."""

import unicodedata
from functools import lru_cache

from memories.embedders.e5.weight_file import Vocabulary

# SentencePiece writes the blank before a word as this character.
_WORD_BEGINS = "\u2581"
# An unknown character costs this much more than the rarest piece.
_UNKNOWN_PENALTY = 10.0
_WORDS_REMEMBERED = 20_000
_LONGEST_REMEMBERED = 40


class Tokenizer:
    """Turn text into numbers of pieces; safe to use from several threads."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._numbers: dict[str, int] = {}
        for number, piece in enumerate(vocabulary.pieces):
            self._numbers.setdefault(piece, number)
        self._longest = max(map(len, vocabulary.pieces))
        self._unknown_score = min(vocabulary.scores) - _UNKNOWN_PENALTY
        self._remembered = lru_cache(_WORDS_REMEMBERED)(self._pieces)

    def pieces(self, text: str, *, limit: int) -> list[int]:
        """Return the pieces of the first `limit` characters of the normal form of `text`."""
        # One character may become eighteen, so the bound is on what is read, not on what came.
        text = unicodedata.normalize("NFKC", text)[:limit]
        found: list[int] = []
        for word in text.translate(self._vocabulary.normal_forms)[:limit].split():
            is_short = len(word) <= _LONGEST_REMEMBERED
            find = self._remembered if is_short else self._pieces
            found += find(_WORD_BEGINS + word)
        return found

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Return the likeliest way to write `word` in pieces."""
        scores = [0.0] + [float("-inf")] * len(word)
        came_from: list[tuple[int, int]] = [(0, 0)] * (len(word) + 1)
        for start in range(len(word)):
            for stop, piece, score in self._steps(word, start):
                if scores[start] + score > scores[stop]:
                    scores[stop], came_from[stop] = scores[start] + score, (start, piece)
        path, at = [], len(word)
        while at:
            at, piece = came_from[at]
            path.append(piece)
        return tuple(reversed(path))

    def _steps(self, word: str, start: int) -> list[tuple[int, int, float]]:
        """Return where each known piece from `start` ends, and the unknown character."""
        unknown, scores = self._vocabulary.unknown, self._vocabulary.scores
        steps = []
        for stop in range(start + 1, min(len(word), start + self._longest) + 1):
            piece = self._numbers.get(word[start:stop])
            if piece is not None and piece != unknown:
                steps.append((stop, piece, scores[piece]))
        steps.append((start + 1, unknown, self._unknown_score))
        return steps
