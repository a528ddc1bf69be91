"""Made-up texts whose words are as frequent as those of a natural language (Zipf)."""

from collections.abc import Iterator

import numpy as np

WORDS = 50_000
PER_TEXT = 25
IN_QUESTION = 4
# Natural texts hold a number or a name that stands nowhere else.
NUMBERED = 4
BATCH = 5000
# The common words of a language come first; what a question is about stands behind them.
TELLING = slice(500, 10_000)


class Texts:
    """The same texts in every run, for as many as are wanted; no two are alike."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(1)
        self._words = self._vocabulary()
        weights = 1 / (np.arange(len(self._words)) + 3)
        self._frequencies = np.cumsum(weights / weights.sum())
        self._said = 0

    def __iter__(self) -> Iterator[str]:
        while True:
            for words in self._drawn(BATCH, PER_TEXT):
                self._said += 1
                number = f" {self._said}" if self._said % NUMBERED == 0 else ""
                yield f"{' '.join(words).capitalize()}{number}."

    def questions(self, count: int) -> list[str]:
        telling = self._random.choice(self._words[TELLING], count)
        return [
            f"{' '.join(words)} {word}"
            for words, word in zip(self._drawn(count, IN_QUESTION), telling, strict=True)
        ]

    def _drawn(self, count: int, length: int) -> Iterator[list[str]]:
        places = np.searchsorted(self._frequencies, self._random.random((count, length)))
        for row in self._words[places]:
            yield row.tolist()

    def _vocabulary(self) -> "np.typing.NDArray[np.str_]":
        syllables = np.array([one + two for one in "bcdfglmnprstv" for two in "aeiou"])
        words: set[str] = set()
        while len(words) < WORDS:
            length = int(self._random.integers(2, 5))
            words.add("".join(self._random.choice(syllables, length)))
        chosen = np.array(sorted(words))
        self._random.shuffle(chosen)
        return chosen
