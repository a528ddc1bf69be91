"""Search by meaning switched on, with the models that work offline."""

from memories.models import MemoryVector
from memories.services.embedding import embed_missing, vectorisers
from spaces.isolation import inside
from spaces.models import Space


def embed_all(space: Space) -> int:
    """Write every missing vector now, as the worker does; say how many there were."""
    written = 0
    for vectoriser in vectorisers():
        while (batch := embed_missing(space, vectoriser)).written:
            written += batch.written
    return written


def vectors(space: Space) -> int:
    with inside(space):
        return MemoryVector.objects.filter(space=space).count()
