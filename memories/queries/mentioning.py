"""Which memories name the path of another one in their text: they may be older than it."""

from collections.abc import Sequence
from uuid import UUID

from memories.models import Memory, MemoryLink, Reason
from memories.rules.mentions import mentions

# Texts that are read for one memory.
READ = 50
# PostgreSQL finds three letters in a row by an index, fewer only by reading everything.
_LEAST_LETTERS = 3


def mentioning(memory: Memory) -> Sequence[UUID]:
    """Return the memories that name `memory` by its path and are not linked to it yet."""
    longest = max(memory.path_key.split("."), key=len)
    if len(longest) < _LEAST_LETTERS:
        return []
    linked = MemoryLink.objects.filter(
        space_id=memory.space_id, second=memory, reason=Reason.MENTIONS
    )
    rows = (
        Memory.objects.filter(
            space_id=memory.space_id, content__icontains=longest, content__contains="[["
        )
        .active()
        .exclude(pk=memory.pk)
        .exclude(pk__in=linked.values("first"))
        .order_by("-updated_at", "-pk")
        .values_list("pk", "content")
    )
    return [pk for pk, content in rows[:READ] if memory.path_key in mentions(content).path_keys]
