"""The memories that one belongs together with, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from memories.models import Memory, MemoryLink, Reason

MOST = 30


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The other end of a link, how it stands now, and the reason, in words as seen from here."""

    memory: Memory
    standing: str
    reason: str
    code: Reason


def linked_to(memory: Memory) -> Sequence[Neighbour]:
    """Return the neighbours, by reason and then the strongest first; call it inside the space."""
    rows = MemoryLink.objects.of(memory).select_related("first", "second")
    # Some of those that are read do not hold any more.
    links = rows.order_by("reason", "-weight", "-made_at", "id")[: 2 * MOST]
    found = []
    for link in links:
        is_from_here = link.first_id == memory.pk
        other, reason = link.second if is_from_here else link.first, Reason(link.reason)
        # A link is not rewritten when the other one moves or is erased.
        is_stale = reason == Reason.SAME_PATH and other.path_key != memory.path_key
        if not is_stale and other.erased_at is None:
            said = str(reason.label) if is_from_here else reason.label_from_there
            found.append(Neighbour(other, other.standing(now=timezone.now()), said, reason))
    return found[:MOST]
