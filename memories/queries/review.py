"""The inbox of questions: how many wait in each queue, and one of them with its evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Case, Count, IntegerField, Q, When
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from memories.models import Memory, MemoryVersion, Question, ReviewItem, ReviewState
from memories.models.review import ReviewQuerySet
from memories.queries.evidence import Side, reasons_of, sides_of
from spaces.isolation import inside
from spaces.models import Space

PAGE = 25
LATER, SETTLED = "later", "settled"
# Settled questions can be looked back on, and undone, for so long.
LOOK_BACK = timedelta(days=30)
# What somebody else did to the person's memory comes first, what only lapsed comes last.
ORDER = (
    Question.INSTRUCTION,
    Question.CHANGED_BY_AGENT,
    Question.RELEARNED,
    Question.DISAGREEMENT,
    Question.REPEATED,
    Question.UNSOURCED,
    Question.EXPIRED,
)
LABELS: Mapping[str, object] = {
    "": _("Everything"),
    Question.INSTRUCTION: _("Looks like an instruction"),
    Question.CHANGED_BY_AGENT: _("Changed by an agent"),
    Question.RELEARNED: _("Learned again"),
    Question.DISAGREEMENT: _("Disagreements"),
    Question.REPEATED: _("Repeated"),
    Question.UNSOURCED: _("Without a source"),
    Question.EXPIRED: _("Expired"),
    LATER: _("Later"),
    SETTLED: _("Settled"),
}


@dataclass(frozen=True, slots=True)
class Queue:
    """One pile of the inbox; `key` is a question, "later", "settled", or "" for everything."""

    key: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Current:
    """The question that is put now, with what the answer depends on."""

    item: ReviewItem
    sides: Sequence[Side]
    reasons: Sequence[str]
    seen: str

    @property
    def since(self) -> datetime | None:
        """Return when the person forgot what was learned again."""
        return parse_datetime(str(self.item.evidence.get("forgotten_at", "")))

    @property
    def judged(self) -> str:
        """Return in the words of the judge what it asks; empty when the rules ask."""
        return str(self.item.evidence.get("judged", ""))

    @property
    def has_changed(self) -> bool:
        """Say whether a text is another one than when the question came up."""
        item = self.item
        is_same = item.memory.version == item.memory_version
        return not is_same or (item.other is not None and item.other.version != item.other_version)


@dataclass(frozen=True, slots=True)
class Inbox:
    """What the page shows; `rows` are the first of the queue that is open, best answered first."""

    open: str
    queues: Sequence[Queue] = ()
    rows: Sequence[ReviewItem] = ()
    current: Current | None = None

    @property
    def waiting(self) -> int:
        return self._count("")

    @property
    def total(self) -> int:
        return self._count(self.open)

    @property
    def more(self) -> int:
        """Return how many of the queue are not among the rows."""
        return max(self.total - len(self.rows), 0)

    @property
    def before(self) -> UUID | None:
        return self._neighbour(-1)

    @property
    def after(self) -> UUID | None:
        return self._neighbour(1)

    @property
    def later(self) -> int:
        return self._count(LATER)

    @property
    def settled(self) -> int:
        return self._count(SETTLED)

    @property
    def is_new(self) -> bool:
        """Say whether nothing was ever asked, as far as one can look back."""
        return not any(queue.count for queue in self.queues)

    def _count(self, key: str) -> int:
        return next((queue.count for queue in self.queues if queue.key == key), 0)

    def _neighbour(self, step: int) -> UUID | None:
        ids = [item.pk for item in self.rows]
        if self.current is None or self.current.item.pk not in ids:
            return None
        place = ids.index(self.current.item.pk) + step
        return ids[place] if 0 <= place < len(ids) else None


@dataclass(frozen=True, slots=True)
class Decision:
    """Answers that were given in one go, as far as they can be taken back."""

    decision_id: UUID
    count: int
    items: Sequence[ReviewItem] = field(default_factory=tuple)

    @property
    def is_put_off(self) -> bool:
        return not any(item.resolution for item in self.items)

    @property
    def only(self) -> ReviewItem | None:
        return self.items[0] if self.count == 1 else None


def inbox(space: Space, *, queue: str = "", item_id: UUID | None = None) -> Inbox:
    """Return the queue with the question `item_id` put, or else its first one."""
    now, queue = timezone.now(), queue if queue in LABELS else ""
    with inside(space):
        items = ReviewItem.objects.in_space(space)
        rows = list(_rows(items, queue, now=now)[:PAGE])
        current = None
        if queue not in {LATER, SETTLED}:
            current = _chosen(items, rows, item_id, now=now)
        return Inbox(
            open=queue,
            queues=_queues(items, now=now),
            rows=rows,
            current=_put(current) if current else None,
        )


def waiting_count(space: Space) -> int:
    """Return how many questions the person can answer now."""
    with inside(space):
        return ReviewItem.objects.in_space(space).waiting(now=timezone.now()).count()


def decision(space: Space, decision_id: UUID) -> Decision | None:
    """Return what was answered in one go, unless nothing of it is left to undo."""
    with inside(space):
        items = ReviewItem.objects.in_space(space).filter(decision_id=decision_id)
        found = list(items.select_related("memory").order_by("-updated_at", "-pk"))
    return Decision(decision_id, len(found), found) if found else None


def _rows(items: ReviewQuerySet, queue: str, *, now: datetime) -> ReviewQuerySet:
    items = items.select_related("memory", "other")
    if queue == LATER:
        return items.put_off(now=now).order_by("snoozed_until", "pk")
    if queue == SETTLED:
        return _settled(items, now=now).order_by("-resolved_at", "-pk")
    waiting = items.waiting(now=now)
    if queue:
        return waiting.filter(question=queue).order_by("created_at", "pk")
    places = [When(question=question, then=place) for place, question in enumerate(ORDER)]
    urgency = Case(*places, default=len(ORDER), output_field=IntegerField())
    return waiting.order_by(urgency, "created_at", "pk")


def _settled(items: ReviewQuerySet, *, now: datetime) -> ReviewQuerySet:
    """Keep what a person settled lately, not what answered itself."""
    settled = items.filter(state=ReviewState.RESOLVED, resolved_at__gte=now - LOOK_BACK)
    return settled.exclude(resolved_by=None).exclude(resolution__in=["moot", "withdrawn"])


def _queues(items: ReviewQuerySet, *, now: datetime) -> list[Queue]:
    is_put_off = Q(state=ReviewState.SNOOZED, snoozed_until__gt=now)
    unsettled = items.unsettled().sensible(now=now).values_list("question")
    found = unsettled.annotate(number=Count("pk"), later=Count("pk", filter=is_put_off))
    numbers = {question: (number, later) for question, number, later in found}
    waiting = {each.value: 0 for each in ORDER}
    waiting |= {question: number - later for question, (number, later) in numbers.items()}
    counts: dict[str, int] = {"": sum(waiting.values()), **waiting}
    counts[LATER] = sum(later for _number, later in numbers.values())
    counts[SETTLED] = _settled(items, now=now).count()
    return [Queue(key, str(LABELS[key]), count) for key, count in counts.items()]


def _chosen(
    items: ReviewQuerySet, rows: Sequence[ReviewItem], item_id: UUID | None, *, now: datetime
) -> ReviewItem | None:
    """Return the row that was asked for, if it still waits, or the first one."""
    for row in rows:
        if row.pk == item_id:
            return row
    if item_id is not None:
        asked_for = items.waiting(now=now).select_related("memory", "other").filter(pk=item_id)
        if found := asked_for.first():
            return found
    return rows[0] if rows else None


def _put(item: ReviewItem) -> Current:
    return Current(
        item=item,
        sides=sides_of(item, earlier=_earlier(item)),
        reasons=reasons_of(item),
        seen=item.seen,
    )


def _earlier(item: ReviewItem) -> MemoryVersion | None:
    """Return the person's own text that an agent changed."""
    if item.question != Question.CHANGED_BY_AGENT:
        return None
    number = item.evidence.get("version")
    memory: Memory = item.memory
    if number == memory.version:
        return None
    return MemoryVersion.objects.of(memory).filter(number=number).first()
