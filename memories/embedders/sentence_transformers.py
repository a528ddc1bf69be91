"""sentence-transformers:<model>: a model that lies on this machine, run by that package."""

from collections.abc import Sequence

import numpy as np
from sentence_transformers import SentenceTransformer

from memories.embedders.base import ModelCard, Vectors
from memories.embedders.errors import EmbedderMissingError
from memories.embedders.options import Options
from memories.embedders.prepared import PreparedEmbedder, Purpose


class SentenceTransformersEmbedder(PreparedEmbedder):
    """Prompts that the model brings along are used; the prefixes of the settings go before."""

    def __init__(self, model: SentenceTransformer, card: ModelCard) -> None:
        super().__init__(card)
        self._model = model

    def _encode(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        is_query = purpose is Purpose.QUERY
        encode = self._model.encode_query if is_query else self._model.encode_document
        return np.asarray(encode(list(texts), show_progress_bar=False), np.float32)


def load(options: Options, model: str) -> SentenceTransformersEmbedder:
    """Load the model from this machine; it is fetched only when downloads are allowed."""
    try:
        loaded = SentenceTransformer(
            model,
            revision=options.revision or None,
            local_files_only=not options.downloads,
            trust_remote_code=False,
        )
    except (OSError, ValueError) as error:
        raise EmbedderMissingError(
            f"The model {model} is not on this machine. Put it there, or set "
            "BRAIN_EMBEDDER_DOWNLOADS=true to have it fetched once."
        ) from error
    sample = np.asarray(loaded.encode(["size"], show_progress_bar=False))
    card = ModelCard(
        name=f"sentence-transformers:{model}",
        revision=options.revision or "local",
        dimensions=sample.shape[1],
        limit=options.limit,
        prefixes=options.prefixes,
        thresholds=options.thresholds,
    )
    return SentenceTransformersEmbedder(loaded, card)
