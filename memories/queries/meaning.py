"""Whether search by meaning is on, and how far its vectors are."""

import logging
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q
from django.utils.translation import gettext

from memories.embedders.base import Thresholds, Vector
from memories.embedders.choices import NONE
from memories.embedders.errors import EmbedderError
from memories.embedders.registry import (
    pair_embedder,
    pair_vector,
    query_vector,
    search_embedder,
    search_status,
)
from memories.models import Memory, MemoryVector
from spaces.isolation import inside
from spaces.models import Space
from spaces.queries import FoundByMeaning

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reading:
    """A query as one model reads it."""

    model_key: str
    vector: Vector
    thresholds: Thresholds


@dataclass(frozen=True, slots=True)
class Question:
    """A query as the active models read it: one to search by, one to weigh what was found."""

    first: Reading
    second: Reading | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the active memories of a space have a vector of the active model."""

    model: str
    why: str
    done: int
    total: int

    @property
    def is_on(self) -> bool:
        return bool(self.model)

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 100


def question_of(query: str, *, by_both: bool) -> Question | None:
    """Return the query's vectors, or None when search has to go by words alone.

    The second model is asked, and loaded, only when it is wanted.
    """
    try:
        first = _first(query)
        second = _second(query) if first and by_both else None
    except EmbedderError as error:
        logger.warning("Search by meaning does not answer: %s", type(error).__name__)
        return None
    if first is None or (second is not None and second.model_key == first.model_key):
        second = None
    return Question(first, second) if first else None


def _first(query: str) -> Reading | None:
    vector, embedder = query_vector(query), search_embedder()
    if vector is None or embedder is None:
        return None
    return Reading(embedder.key, vector, embedder.thresholds)


def _second(query: str) -> Reading | None:
    vector, embedder = pair_vector(query), pair_embedder()
    if vector is None or embedder is None:
        return None
    return Reading(embedder.pair_key, vector, embedder.thresholds)


def vectors_of(space_id: UUID, model_key: str) -> int:
    return MemoryVector.objects.filter(space_id=space_id, model_key=model_key).count()


def progress(space: Space) -> Progress:
    """Return how far the vectors of the space are; loads the model if it is not loaded yet."""
    status, embedder = search_status(), search_embedder()
    with inside(space):
        active = Memory.objects.filter(space=space).active()
        total = active.count()
        done = 0
        if embedder is not None:
            # A vector of an earlier text finds nothing.
            present = Q(
                vectors__model_key=embedder.key, vectors__content_sha256=F("content_sha256")
            )
            done = active.filter(present).count()
    return Progress(embedder.name if embedder else "", status.why, done, total)


def found_by_meaning(space: Space) -> FoundByMeaning:
    """Tell the person how much of the space is found by meaning, or why nothing is."""
    found = progress(space)
    if found.is_on:
        return FoundByMeaning(found.done, found.total)
    return FoundByMeaning(why_off=why_off())


def why_off() -> str:
    """Say why nothing is found by meaning; nothing when there is a model that answers."""
    status = search_status()
    if status.wanted == NONE:
        return gettext("Whoever runs this installation turned it off.")
    return status.why
