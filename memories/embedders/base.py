"""What every model offers here, and what its vectors mean."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

# One unit vector, or one in each row.
Vector = NDArray[np.float32]
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines that mean something for one model only; None where nobody measured them."""

    # The best hit of a search below this is not an answer.
    close: float | None = None
    # The same, when question and memories may be in different languages.
    close_across_languages: float | None = None
    # Two facts are near enough to ask a person.
    review: float | None = None
    # The same, for two facts of one kind and path.
    review_in_place: float | None = None
    # Two texts say nearly the same.
    near_identical: float | None = None


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants to read in front of a text, depending on what the text is for."""

    document: str = ""
    query: str = ""
    pair: str = ""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Which model it is; vectors with different keys are never compared."""

    name: str
    revision: str
    dimensions: int
    # Characters that are read of a document; the rest makes no difference to its vector.
    limit: int
    prefixes: Prefixes = field(default_factory=Prefixes)
    thresholds: Thresholds = field(default_factory=Thresholds)

    @property
    def key(self) -> str:
        """Identify the vectors of documents, also against those of a later revision."""
        return self._key(self.prefixes.document)

    @property
    def pair_key(self) -> str:
        """Identify the vectors of pairs: equal to `key` where they are the same vectors."""
        return self._key(self.prefixes.pair)

    def _key(self, prefix: str) -> str:
        read = hashlib.sha256(f"{self.limit}:{prefix}".encode()).hexdigest()[:8]
        return f"{self.name}@{self.revision}/{self.dimensions}/{read}"


class Embedder(Protocol):
    """A model in use. All vectors are finite and of length one; any text is accepted."""

    def __hash__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def revision(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def limit(self) -> int: ...
    @property
    def key(self) -> str: ...
    @property
    def pair_key(self) -> str: ...
    @property
    def thresholds(self) -> Thresholds: ...
    @property
    def trouble(self) -> str:
        """Say why the last call failed; empty when it worked."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text that is to be found."""

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question, to be compared with those of documents."""

    def embed_pairs(self, texts: Sequence[str]) -> Vectors:
        """Return rows that tell, compared with each other, what is about the same thing."""
