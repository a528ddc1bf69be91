"""What changed between any two versions of a memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from memories.models import Memory, MemoryVersion
from memories.rules.differences import Piece, differences

LABELS: Mapping[str, object] = {
    "content": _("Text"),
    "kind": _("Kind"),
    "path": _("Path"),
    "source": _("Source"),
    "rationale": _("Rationale"),
}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field as two versions have it, with the words marked that the other one lacks."""

    name: str
    label: str
    before: Sequence[Piece]
    after: Sequence[Piece]

    @property
    def is_changed(self) -> bool:
        return any(piece.differs for piece in (*self.before, *self.after))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions of one memory, field by field; without fields when a text was erased."""

    before: MemoryVersion
    after: MemoryVersion
    fields: Sequence[FieldChange] = ()

    @property
    def is_erased(self) -> bool:
        return bool(self.before.erased_at or self.after.erased_at)

    @property
    def changed(self) -> list[FieldChange]:
        return [field for field in self.fields if field.is_changed]


def comparison(
    memory: Memory, *, known: Sequence[MemoryVersion], before: int, after: int
) -> Comparison | None:
    """Compare two versions by their numbers; call it inside the space.

    What is not asked for, or does not exist, is the present version and the one before. None
    when there is only one. `known` are versions that have been read already.
    """
    if memory.version < 2:  # noqa: PLR2004  two versions can differ
        return None
    numbers = range(1, memory.version + 1)
    after = after if after in numbers else memory.version
    before = before if before in numbers else max(1, after - 1)
    found = {version.number: version for version in known}
    if missing := {before, after} - set(found):
        rows = MemoryVersion.objects.of(memory).filter(number__in=missing)
        found |= {version.number: version for version in rows}
    if before not in found or after not in found:
        return None
    return _compared(found[before], found[after])


def _compared(before: MemoryVersion, after: MemoryVersion) -> Comparison:
    if before.erased_at or after.erased_at:
        return Comparison(before, after)
    return Comparison(
        before,
        after,
        [
            FieldChange(name, str(label), *differences(_said(before, name), _said(after, name)))
            for name, label in LABELS.items()
        ],
    )


def _said(version: MemoryVersion, name: str) -> str:
    return version.get_kind_display() if name == "kind" else str(getattr(version, name))
