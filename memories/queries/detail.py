"""One memory with everything that is known of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from brain.lib.errors import NotFoundError
from memories.models import Activity, Memory, MemorySource, MemoryVersion, ReviewItem
from memories.queries.changes import Comparison, comparison
from memories.queries.links import Neighbour, linked_to
from spaces.isolation import inside
from spaces.models import Space

MAX_VERSIONS = 100
MAX_ACTIVITY = 50


@dataclass(frozen=True, slots=True)
class Detail:
    """A memory as it stands now; everything newest first."""

    memory: Memory
    standing: str
    versions: Sequence[MemoryVersion]
    activity: Sequence[Activity]
    more_sources: Sequence[MemorySource]
    replaces: Sequence[Memory]
    questions: Sequence[ReviewItem]
    links: Sequence[Neighbour]
    comparison: Comparison | None

    @property
    def comparable(self) -> list[MemoryVersion]:
        """Return the versions that can be chosen for a comparison, newest first."""
        chosen = {version.number: version for version in self.versions}
        if self.comparison:
            chosen |= {
                each.number: each for each in (self.comparison.before, self.comparison.after)
            }
        return [version for _number, version in sorted(chosen.items(), reverse=True)]

    @property
    def versions_left_out(self) -> int:
        return max(0, self.memory.version - len(self.versions))


def memory_detail(space: Space, memory_id: UUID, *, before: int = 0, after: int = 0) -> Detail:
    """Return the memory; one of another space is answered like one that never was.

    `before` and `after` are the numbers of the versions that are compared.
    """
    with inside(space):
        memory = (
            Memory.objects.in_space(space)
            .select_related("superseded_by")
            .filter(pk=memory_id)
            .first()
        )
        if memory is None:
            raise NotFoundError("There is no such memory.", hint="Check the address.")
        versions = list(MemoryVersion.objects.of(memory)[:MAX_VERSIONS])
        return Detail(
            memory=memory,
            standing=memory.standing(now=timezone.now()),
            versions=versions,
            activity=list(Activity.objects.in_space(space).filter(memory=memory)[:MAX_ACTIVITY]),
            more_sources=list(memory.more_sources.order_by("-added_at", "-id")),
            replaces=list(memory.supersedes.order_by("-updated_at", "-id")),
            questions=_questions(space, memory),
            links=linked_to(memory),
            comparison=comparison(memory, known=versions, before=before, after=after),
        )


def _questions(space: Space, memory: Memory) -> list[ReviewItem]:
    """Return what waits for an answer about the memory, on either side of a pair."""
    asked = ReviewItem.objects.in_space(space).about([memory.pk]).waiting(now=timezone.now())
    return list(asked.order_by("created_at", "pk"))


def memory_version(space: Space, memory_id: UUID, *, number: int) -> MemoryVersion:
    """Return one version of a memory of the space."""
    with inside(space):
        versions = MemoryVersion.objects.filter(space=space, memory_id=memory_id, number=number)
        version = versions.select_related("memory").first()
    if version is None:
        raise NotFoundError("There is no such version.", hint="Check the address.")
    return version
