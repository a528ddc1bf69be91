"""builtin-e5: the model that search uses when nothing else is chosen."""

from collections.abc import Sequence

import numpy as np

from memories.embedders.base import ModelCard, Prefixes, Thresholds, Vectors
from memories.embedders.e5 import pinned
from memories.embedders.e5.engine import Engine
from memories.embedders.options import Options
from memories.embedders.prepared import PreparedEmbedder, Purpose

DIMENSIONS = 384
# Number of our engine: raise it when the same weights give other vectors.
ENGINE = 1
CARD = ModelCard(
    name="builtin-e5",
    revision=f"{pinned.SHA256[:12]}.{ENGINE}",
    dimensions=DIMENSIONS,
    limit=8000,
    # The model was trained with these; for two texts of one kind it wants "query: " on both.
    prefixes=Prefixes(document="passage: ", query="query: ", pair="query: "),
    thresholds=Thresholds(
        close=0.825,
        close_across_languages=0.80,
        review=0.93,
        near_identical=0.97,
    ),
)


class E5Embedder(PreparedEmbedder):
    def __init__(self, engine: Engine) -> None:
        super().__init__(CARD)
        self._engine = engine

    def _encode(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        # Some scripts fill many windows, and a question that long says what it wants in the first.
        windows = 1 if purpose is Purpose.QUERY else None
        return np.stack(
            [self._engine.encode(text, limit=self.limit, windows=windows) for text in texts]
        )


def load(options: Options, _model: str) -> E5Embedder:
    """Check the weights and load the model (about a second)."""
    return E5Embedder(Engine(pinned.weights(), threads=options.threads))
