"""fastembed:<model>: a model from that package's list that lies on this machine."""

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from fastembed import TextEmbedding

from memories.embedders.base import ModelCard, Vectors
from memories.embedders.errors import EmbedderMissingError
from memories.embedders.options import Options
from memories.embedders.prepared import PreparedEmbedder, Purpose


class FastembedEmbedder(PreparedEmbedder):
    def __init__(self, model: TextEmbedding, card: ModelCard) -> None:
        super().__init__(card)
        self._model = model

    def _encode(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        is_query = purpose is Purpose.QUERY
        embed = self._model.query_embed if is_query else self._model.passage_embed
        return np.asarray(list(embed(list(texts))), np.float32)


def load(options: Options, model: str) -> FastembedEmbedder:
    """Load the model from this machine; it is fetched only when downloads are allowed."""
    try:
        # Without this the package waits 39 seconds for the network before it gives up.
        loaded = TextEmbedding(
            model, threads=options.threads, local_files_only=not options.downloads
        )
    except (OSError, ValueError) as error:
        raise EmbedderMissingError(
            f"The model {model} is not in fastembed's list or not on this machine "
            "(FASTEMBED_CACHE_PATH). Put it there, or set BRAIN_EMBEDDER_DOWNLOADS=true to have "
            "it fetched once."
        ) from error
    card = ModelCard(
        name=f"fastembed:{model}",
        revision=options.revision or version("fastembed"),
        dimensions=int(loaded.embedding_size),
        limit=options.limit,
        prefixes=options.prefixes,
        thresholds=options.thresholds,
    )
    return FastembedEmbedder(loaded, card)
