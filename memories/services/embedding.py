"""Give memories the vectors that search by meaning compares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, QuerySet

from memories.embedders.base import Vectors
from memories.embedders.registry import pair_embedder, search_embedder
from memories.models import Memory, MemoryVector
from spaces.isolation import inside
from spaces.models import Space

BATCH = 32


@dataclass(frozen=True, slots=True)
class Vectoriser:
    """One kind of vector that every memory shall have, by its model's key."""

    key: str
    embed: Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class Embedded:
    """How many vectors were written, and whether there are more to write."""

    written: int
    has_more: bool


def vectorisers() -> list[Vectoriser]:
    """Return what the active models make: vectors to search by, and to compare memories by."""
    wanted: list[Vectoriser] = []
    if search := search_embedder():
        wanted.append(Vectoriser(search.key, search.embed_documents))
    pairs = pair_embedder()
    if pairs and all(pairs.pair_key != each.key for each in wanted):
        wanted.append(Vectoriser(pairs.pair_key, pairs.embed_pairs))
    return wanted


def embed_missing(space: Space, vectoriser: Vectoriser, *, at_most: int = BATCH) -> Embedded:
    """Write the missing vectors of up to `at_most` memories of the space, newest first.

    The model works outside of any transaction, so that no save waits for it. May run twice at
    the same time: the later vector of the same text takes the place of the earlier one.
    """
    with inside(space):
        waiting = list(_without_vector(space, vectoriser)[: at_most + 1])
    batch = waiting[:at_most]
    if batch:
        vectors = vectoriser.embed([memory.content for memory in batch])
        _write(space, batch, vectors, key=vectoriser.key)
    return Embedded(len(batch), has_more=len(waiting) > at_most)


def lacks_vectors(space: Space, vectoriser: Vectoriser) -> bool:
    """Say whether a memory of the space has no vector of this model for its present text."""
    with inside(space):
        return _without_vector(space, vectoriser).exists()


def seems_to_lack_vectors(space: Space, model_names: Sequence[str]) -> bool:
    """Say the same as far as the models' names tell, which are known without loading them."""
    with inside(space):
        active = Memory.objects.active().filter(space=space)
        return any(
            active.exclude(
                Exists(
                    MemoryVector.objects.filter(
                        space=space,
                        memory=OuterRef("pk"),
                        model_key__startswith=f"{name}@",
                        content_sha256=OuterRef("content_sha256"),
                    )
                )
            ).exists()
            for name in model_names
        )


def _without_vector(space: Space, vectoriser: Vectoriser) -> QuerySet[Memory]:
    present = MemoryVector.objects.filter(
        space=space,
        memory=OuterRef("pk"),
        model_key=vectoriser.key,
        content_sha256=OuterRef("content_sha256"),
    )
    missing = Memory.objects.active().filter(~Exists(present), space=space)
    return missing.only("content", "content_sha256").order_by("-updated_at", "-id")


def _write(space: Space, batch: Sequence[Memory], vectors: Vectors, *, key: str) -> None:
    rows = [
        MemoryVector(
            space_id=space.pk,
            memory_id=memory.pk,
            model_key=key,
            # Of the text that was read: if it has changed since, the vector counts as missing.
            content_sha256=memory.content_sha256,
            embedding=vector,
        )
        for memory, vector in zip(batch, vectors, strict=True)
    ]
    try:
        with inside(space):
            MemoryVector.objects.bulk_create(
                rows,
                update_conflicts=True,
                unique_fields=["space", "memory", "model_key"],
                update_fields=["content_sha256", "embedding", "created_at"],
            )
    except IntegrityError:
        # The space was deleted while the model worked: there is nothing left to do.
        if Space.objects.filter(pk=space.pk).exists():
            raise


def forget_vectors(space: Space, *, besides: Sequence[str] = ()) -> int:
    """Delete the vectors of the space, except those of the models named by their keys."""
    with inside(space):
        rows = MemoryVector.objects.filter(space=space).exclude(model_key__in=besides)
        return rows.delete()[0]
