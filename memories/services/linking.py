"""Keep the links of a memory that follow from its path and its text; vectors add the others."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from uuid import UUID

from django.db.models import Q, Window
from django.db.models.functions import RowNumber

from memories.models import Memory, MemoryLink, Reason, Verb
from memories.models.link import LinkQuerySet
from memories.rules.mentions import mentions

# A chain along the path says it all; links between each two would bury the others.
NEIGHBOURS_AT_A_PATH = 2
MENTIONED_AT_A_PATH = 5
_NEW = (Verb.SAVED, Verb.HELD)
_CHANGED = (Verb.REVISED, Verb.RESTORED, Verb.UNDONE, Verb.REVERTED, Verb.ERASED)
_REPLACED = (Verb.SUPERSEDED, Verb.MERGED, *_CHANGED)


def link_after(memory: Memory, verb: Verb) -> None:
    """Bring the links up to date with what was just done; the row of `memory` is locked."""
    if verb in _NEW:
        _add(memory, _from_text(memory))
    elif verb in _CHANGED:
        # What the text meant goes with it; the job that compares it anew finds what it means now.
        _own(memory).exclude(reason=Reason.REPLACED_BY).delete()
        _add(memory, _from_text(memory))
    if verb in _REPLACED:
        _own(memory).filter(reason=Reason.REPLACED_BY).delete()
        if memory.superseded_by_id:
            _add(memory, [(memory.superseded_by_id, Reason.REPLACED_BY)])


def relink(memory: Memory) -> None:
    """Make the links of a memory that came into its row by another way, such as an import."""
    link_after(memory, Verb.REVISED)


def link_similar(memory: Memory, others: Mapping[UUID, float]) -> None:
    """Replace what `memory` was linked to for its meaning; weights lie above 0 and up to 1.

    The caller holds the row of `memory`.
    """
    _own(memory).filter(reason=Reason.SIMILAR).delete()
    rows = [
        MemoryLink(
            space_id=memory.space_id,
            first=memory,
            second_id=second_id,
            reason=Reason.SIMILAR,
            weight=weight,
        )
        for second_id, weight in others.items()
        if second_id != memory.pk
    ]
    if rows:
        MemoryLink.objects.bulk_create(rows, ignore_conflicts=True)


def unlink_similar(owners: Collection[UUID], memory: Memory) -> None:
    """Drop the links that lead for its earlier meaning to `memory`; the caller holds the owners."""
    if owners:
        MemoryLink.objects.filter(
            space_id=memory.space_id, first__in=owners, second=memory, reason=Reason.SIMILAR
        ).delete()


def link_mention(owners: Collection[UUID], memory: Memory) -> None:
    """Link memories that named the path of `memory` before it was there; the caller holds them."""
    rows = [
        MemoryLink(space_id=memory.space_id, first_id=owner, second=memory, reason=Reason.MENTIONS)
        for owner in owners
    ]
    if rows:
        MemoryLink.objects.bulk_create(rows, ignore_conflicts=True)


def _own(memory: Memory) -> LinkQuerySet:
    return MemoryLink.objects.filter(space_id=memory.space_id, first=memory)


def _from_text(memory: Memory) -> Iterator[tuple[UUID, Reason]]:
    others = Memory.objects.filter(space_id=memory.space_id).exclude(pk=memory.pk).active()
    if memory.path_key:
        neighbours = others.filter(path_key=memory.path_key).order_by("-created_at", "-id")
        for pk in neighbours.values_list("pk", flat=True)[:NEIGHBOURS_AT_A_PATH]:
            yield pk, Reason.SAME_PATH
    named = mentions(f"{memory.content}\n{memory.source}\n{memory.rationale}")
    if named:
        place = Window(RowNumber(), partition_by="path_key", order_by=["-updated_at", "-id"])
        is_named = Q(pk__in=named.ids) | Q(
            path_key__in=named.path_keys, place__lte=MENTIONED_AT_A_PATH
        )
        for pk in others.annotate(place=place).filter(is_named).values_list("pk", flat=True):
            yield pk, Reason.MENTIONS


def _add(memory: Memory, links: Iterable[tuple[UUID, Reason]]) -> None:
    rows = [
        MemoryLink(space_id=memory.space_id, first=memory, second_id=second_id, reason=reason)
        for second_id, reason in links
    ]
    if rows:
        MemoryLink.objects.bulk_create(rows, ignore_conflicts=True)
