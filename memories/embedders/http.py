"""http: any server with OpenAI's embeddings interface (OpenAI, Ollama, TEI, vLLM and others)."""

import hashlib
import time
from collections.abc import Callable, Sequence

import numpy as np
from pydantic import BaseModel, ValidationError

from memories.embedders.base import ModelCard, Vector, Vectors
from memories.embedders.endpoint import Endpoint
from memories.embedders.errors import BadVectorError, EmbedderUnavailableError
from memories.embedders.options import Options, check_server
from memories.embedders.prepared import PreparedEmbedder, Purpose

# Seconds for which questions are not sent after one found the server unreachable.
REST = 30.0


class _Item(BaseModel):
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    data: list[_Item]


class HttpEmbedder(PreparedEmbedder):
    """A model on a server; a search waits for it only while it answers."""

    def __init__(
        self,
        options: Options,
        *,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_server(options)
        super().__init__(_card(options))
        self._server, self._clock = options.server, clock
        self._endpoint = Endpoint(options.server, pause=pause)
        self._rests_until = 0.0

    def embed_query(self, text: str) -> Vector:
        if self._clock() < self._rests_until:
            raise EmbedderUnavailableError("The embedding server did not answer a moment ago.")
        try:
            return super().embed_query(text)
        except EmbedderUnavailableError:
            self._rests_until = self._clock() + REST
            raise

    def _encode(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        is_query = purpose is Purpose.QUERY
        timeout = self._server.timeout if is_query else self._server.batch_timeout
        size = self._server.batch
        batches = [texts[start : start + size] for start in range(0, len(texts), size)]
        return np.concatenate([self._ask(batch, timeout=timeout) for batch in batches])

    def _ask(self, texts: Sequence[str], *, timeout: float) -> Vectors:
        body: dict[str, object] = {
            "model": self._server.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self._server.shorten:
            body["dimensions"] = self.dimensions
        content = self._endpoint.post(body, timeout=timeout)
        return _rows(content, shape=(len(texts), self.dimensions))


def load(options: Options, _model: str) -> HttpEmbedder:
    """Get ready; the first request is sent with the first text."""
    return HttpEmbedder(options)


def _card(options: Options) -> ModelCard:
    # Another server may give the same name to another model.
    place = hashlib.sha256(options.server.url.rstrip("/").encode()).hexdigest()[:8]
    return ModelCard(
        name=f"http:{options.server.model}",
        revision=options.revision or place,
        dimensions=options.dimensions,
        limit=options.limit,
        prefixes=options.prefixes,
        thresholds=options.thresholds,
    )


def _rows(content: bytes, *, shape: tuple[int, int]) -> Vectors:
    """Return the vectors in the order of the texts, whatever order they came in."""
    try:
        items = _Answer.model_validate_json(content).data
    except ValidationError:
        # The error would quote the answer.
        raise BadVectorError("The embedding server gave no list of vectors.") from None
    count, dimensions = shape
    if sorted(item.index for item in items) != list(range(count)):
        raise BadVectorError("The embedding server left out a text or gave one twice.")
    for item in items:
        if len(item.embedding) != dimensions:
            raise BadVectorError(
                f"The embedding server gave a vector of {len(item.embedding)} numbers; "
                f"BRAIN_EMBEDDER_DIMENSIONS is {dimensions}."
            )
    ordered = sorted(items, key=lambda item: item.index)
    return _in_single_precision([item.embedding for item in ordered])


def _in_single_precision(rows: list[list[float]]) -> Vectors:
    # A number that is too large becomes infinite, and is refused as such.
    with np.errstate(over="ignore"):
        return np.asarray(rows, np.float32)
