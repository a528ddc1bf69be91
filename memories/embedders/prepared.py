"""What is the same for every model: how a text is prepared, and how its vector is checked."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from memories.embedders.base import ModelCard, Thresholds, Vector, Vectors
from memories.embedders.errors import BadVectorError, EmbedderError

# Characters that are read of a question: somebody waits for it, and may have pasted a log.
QUERY_LIMIT = 2500


class Purpose(StrEnum):
    DOCUMENT = "document"
    QUERY = "query"
    PAIR = "pair"


class PreparedEmbedder(ABC):
    """A model that reads clean, short enough text with the right prefix."""

    def __init__(self, card: ModelCard) -> None:
        self.card = card
        self.trouble = ""

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def revision(self) -> str:
        return self.card.revision

    @property
    def dimensions(self) -> int:
        return self.card.dimensions

    @property
    def limit(self) -> int:
        return self.card.limit

    @property
    def key(self) -> str:
        return self.card.key

    @property
    def pair_key(self) -> str:
        return self.card.pair_key

    @property
    def thresholds(self) -> Thresholds:
        return self.card.thresholds

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, prefix=self.card.prefixes.document, purpose=Purpose.DOCUMENT)

    def embed_query(self, text: str) -> Vector:
        text = text[:QUERY_LIMIT]
        rows = self._embed([text], prefix=self.card.prefixes.query, purpose=Purpose.QUERY)
        vector: Vector = rows[0]
        return vector

    def embed_pairs(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, prefix=self.card.prefixes.pair, purpose=Purpose.PAIR)

    @abstractmethod
    def _encode(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Return one row of any length for each of the prepared texts (at least one)."""

    def _embed(self, texts: Sequence[str], *, prefix: str, purpose: Purpose) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        prepared = [prefix + clean(text[: self.limit]) for text in texts]
        try:
            rows = unit(
                self._encode(prepared, purpose=purpose), shape=(len(texts), self.dimensions)
            )
        except EmbedderError as error:
            self.trouble = str(error)
            raise
        self.trouble = ""
        return rows


def clean(text: str) -> str:
    """Return `text` with every lone surrogate, which no encoding can carry, replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def unit(rows: Vectors, *, shape: tuple[int, int]) -> Vectors:
    """Return `rows` at length one; refuse another shape, and rows that point nowhere."""
    if rows.shape != shape:
        raise BadVectorError(f"The model gave vectors of shape {rows.shape} instead of {shape}.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise BadVectorError("The model gave a vector that is zero or not a number.")
    units: Vectors = (rows / lengths).astype(np.float32, copy=False)
    return units
