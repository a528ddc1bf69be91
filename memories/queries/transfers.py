"""What the page of imports shows: the one that is open, what it does, and what it refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from memories.models import ItemVerdict, Memory, Stage, Transfer, TransferItem
from spaces.isolation import inside
from spaces.models import Space

PAGE = 25


@dataclass(frozen=True, slots=True)
class Listed:
    """One memory of the file; `is_here` says whether its id leads to a memory of the space."""

    item: TransferItem
    is_here: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An import, how many memories become what, and a page of those of one verdict."""

    transfer: Transfer
    counts: Mapping[str, int]
    verdict: str
    items: Sequence[Listed]
    after: int

    @property
    def brings(self) -> int:
        return self.counts.get(ItemVerdict.NEW, 0) + self.counts.get(ItemVerdict.UPDATED, 0)

    @property
    def chips(self) -> list[tuple[ItemVerdict, int]]:
        """Return what became of the memories, most wanted first, leaving out what is none."""
        return [(each, self.counts[each]) for each in ItemVerdict if self.counts.get(each)]

    @property
    def redacted(self) -> list[tuple[str, int]]:
        return sorted(self.transfer.redacted.items())


def current_import(space: Space) -> Transfer | None:
    """Return the import that is open, or else the last one whose report is still there."""
    with inside(space):
        imports = Transfer.objects.in_space(space).select_related("user")
        is_open = imports.exclude(stage__in=[Stage.DONE, Stage.FAILED])
        return is_open.first() or imports.first()


def shown_import(
    space: Space, transfer_id: UUID, *, verdict: str = "", after: int = 0
) -> Shown | None:
    """Return the import with up to 25 of its memories, or None where there is none of the id."""
    with inside(space):
        transfer = Transfer.objects.filter(space=space, pk=transfer_id).first()
        if transfer is None:
            return None
        items = TransferItem.objects.filter(space=space, transfer=transfer)
        counts = dict(items.values_list("verdict").annotate(Count("pk")).order_by())
        chosen = verdict if verdict in ItemVerdict.values else _first(counts)
        found = list(items.filter(verdict=chosen, number__gt=after).order_by("number")[: PAGE + 1])
        here = Memory.objects.filter(space=space, pk__in=[item.memory_id for item in found])
        ids = set(here.values_list("pk", flat=True))
    listed = [Listed(item, item.memory_id in ids) for item in found[:PAGE]]
    last = found[PAGE - 1].number if len(found) > PAGE else 0
    return Shown(transfer, counts, chosen, listed, last)


def _first(counts: Mapping[str, int]) -> str:
    """Return what should be looked at first: what does not go in, then what is new."""
    order = (
        ItemVerdict.REFUSED,
        ItemVerdict.APART,
        ItemVerdict.FORGOTTEN,
        ItemVerdict.UPDATED,
        ItemVerdict.NEW,
        ItemVerdict.KEPT,
        ItemVerdict.HERE,
    )
    return next((each for each in order if counts.get(each)), ItemVerdict.NEW)
