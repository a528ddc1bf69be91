"""Compare what is new or changed with the rest of its space: links, repeats, disagreements."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from memories.embedders.providers import USE
from memories.embedders.registry import pair_embedder
from memories.models import Kind, Memory, MemoryVector
from memories.services.locking import hold_at_once
from memories.services.proposing import Model, findings, write_down
from spaces.isolation import inside
from spaces.models import Space

BATCH = 50
# Cosines of the built-in model for pairs above this are about the same thing.
LINKED = 0.6


@dataclass(frozen=True, slots=True)
class Compared:
    """How many memories were compared, how many questions are new, and whether more wait."""

    memories: int
    asked: int
    has_more: bool


def compare_recent(space: Space, *, at_most: int = BATCH) -> Compared:
    """Compare memories whose present version was not compared yet with the rest of the space.

    Each in a transaction of its own that reads first, then holds for its few writes only rows
    that nobody else holds: no save waits for it, and it waits for none. One without its vector
    waits for the job that makes it, unless there is no model for pairs. When another worker
    compares in this space already, nothing is done.
    """
    if not waits_for_comparison(space):
        return Compared(0, 0, has_more=False)
    model = pair_model()
    with inside(space):
        waiting = _waiting(space, model)[: at_most + 1]
        ids = list(waiting.values_list("pk", "version"))
    done = [_compare(space, each, version, model) for each, version in ids[:at_most]]
    compared = [asked for asked in done if asked is not None]
    # What somebody holds waits for the next run: trying again at once would find them at it.
    return Compared(len(compared), sum(compared), has_more=len(ids) > at_most and bool(compared))


def waits_for_comparison(space: Space) -> bool:
    """Say whether a memory of the space was not compared yet in its present version."""
    with inside(space):
        return _uncompared(space).exists()


def pair_model() -> Model:
    """Return by which vectors memories are compared with each other."""
    model = pair_embedder()
    if model is None:
        return Model()
    # What a cosine means to the rules was measured with this model only.
    if model.name == USE:
        return Model(model.pair_key, is_known=True, linked_from=LINKED)
    return Model(model.pair_key, linked_from=model.thresholds.review)


def _uncompared(space: Space) -> QuerySet[Memory]:
    fresh = Q(compared_version=None) | ~Q(compared_version=F("version"))
    return Memory.objects.active().filter(fresh, space=space).exclude(kind=Kind.CHECKPOINT)


def _waiting(space: Space, model: Model) -> QuerySet[Memory]:
    waiting = _uncompared(space).order_by("updated_at")
    if not model.key:
        return waiting
    ready = MemoryVector.objects.filter(
        space=space,
        model_key=model.key,
        memory=OuterRef("pk"),
        content_sha256=OuterRef("content_sha256"),
    )
    return waiting.filter(Exists(ready))


def _compare(space: Space, memory_id: UUID, version: int, model: Model) -> int | None:
    """Compare one memory; None when somebody else is at it or at one of its pairs."""
    now = timezone.now()
    with inside(space):
        if not hold_at_once("comparing", space):
            return None
        memory = Memory.objects.filter(space=space, pk=memory_id, version=version).first()
        if memory is None:
            return 0
        return write_down(memory, findings(memory, model, now=now))
