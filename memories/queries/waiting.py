"""How much of a space waits for the worker, for operators: numbers, nothing else."""

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from memories.embedders.registry import pair_status, search_status
from memories.models import Kind, Memory, MemoryVector
from spaces.isolation import inside
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class WaitingIn:
    """How many memories lack a vector of a model in use, and how many were not compared yet."""

    without_vector: int
    uncompared: int


def waiting_in(space: Space) -> WaitingIn:
    """Count what waits in one space; loads no model."""
    names = {status.active for status in (search_status(), pair_status()) if status.active}
    fresh = Q(compared_version=None) | ~Q(compared_version=F("version"))
    with inside(space):
        active = Memory.objects.in_space(space).active()
        has_all = Q()
        for name in sorted(names):
            has_all &= Q(Exists(_vectors(space, name)))
        without = active.exclude(has_all).count() if names else 0
        uncompared = active.filter(fresh).exclude(kind=Kind.CHECKPOINT).count()
    return WaitingIn(without, uncompared)


def _vectors(space: Space, model_name: str) -> QuerySet[MemoryVector]:
    return MemoryVector.objects.filter(
        space=space,
        memory=OuterRef("pk"),
        model_key__startswith=f"{model_name}@",
        content_sha256=OuterRef("content_sha256"),
    )
