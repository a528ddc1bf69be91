"""What a question rests on: the texts side by side, with what differs, and why it was asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from memories.models import PAIRS, Memory, MemoryVersion, ReviewItem
from memories.rules.differences import Piece, differences

# What the rules name by a code; a code that is not here is not shown.
REASONS: Mapping[str, object] = {
    # Two texts that cannot both hold.
    "number": _("a number"),
    "date": _("a date"),
    "time": _("a time"),
    "unit": _("a unit"),
    "version": _("a version"),
    "name": _("a name"),
    "negation": _("a “not”"),
    "quantifier": _("how much or how often"),
    "bound": _("at least or at most"),
    "modality": _("must or may"),
    "option": _("which option"),
    "alternative": _("which option"),
    "opposite": _("opposite words"),
    "order": _("what comes first"),
    "change": _("one says that it changed"),
    # A text that commands.
    "override": _("it asks its reader to ignore what they were told"),
    "role": _("it gives its reader another part to play"),
    "secrecy": _("it asks to hide something from you"),
    "command": _("it asks to run something or to hand something over"),
    "markup": _("it imitates the marks around a system message"),
    "address": _("it speaks to an assistant"),
}


@dataclass(frozen=True, slots=True)
class Side:
    """One text of the evidence; `text` is the memory as it is, or one of its versions."""

    label: str
    memory: Memory
    text: Memory | MemoryVersion
    pieces: Sequence[Piece]
    written_at: datetime


def sides_of(item: ReviewItem, *, earlier: MemoryVersion | None) -> list[Side]:
    """Return the one or two texts that the question is about, the older one first."""
    memory, other = item.memory, item.other
    if other is not None and item.question in PAIRS:
        first, second = differences(memory.content, other.content)
        return [
            _side(str(_("The older one")), memory, memory, first),
            _side(str(_("The newer one")), other, other, second),
        ]
    if earlier is not None:
        first, second = differences(earlier.content, memory.content)
        return [
            _side(str(_("What you wrote")), memory, earlier, first),
            _side(str(_("What it says now")), memory, memory, second),
        ]
    return [_side("", memory, memory, [Piece(memory.content, differs=False)])]


def reasons_of(item: ReviewItem) -> list[str]:
    """Return in words why the question came up, as far as its evidence says."""
    given = item.evidence.get("reasons", [])
    codes = [each.get("code") if isinstance(each, dict) else each for each in given]
    said = [str(REASONS[code]) for code in map(str, codes) if code in REASONS]
    return list(dict.fromkeys(said))


def _side(
    label: str, memory: Memory, text: Memory | MemoryVersion, pieces: Sequence[Piece]
) -> Side:
    written_at = text.created_at if isinstance(text, MemoryVersion) else text.updated_at
    return Side(label, memory, text, pieces, written_at)
