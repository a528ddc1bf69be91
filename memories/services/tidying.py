"""Keep the ledger of reads small: past days are rolled up, old ones go, unwanted queries too."""

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from memories.models import Memory, Recall
from spaces.isolation import inside
from spaces.models import Space

BATCH = 5000

# Two runs at once end at the same: the sum is set, never added to.
_ROLL_UP = """
with day as (
    select id, sum(times) over alike as total,
           row_number() over (alike order by at desc, id desc) as place
    from memories_recall
    where space_id = %(space)s and at >= %(start)s and at < %(end)s
    window alike as (partition by memory_id, way, query, client_key, agent_instance)
), gone as (
    delete from memories_recall line using day
    where line.space_id = %(space)s and line.id = day.id and day.place > 1
)
update memories_recall line set times = day.total, day = %(day)s
from day
where line.space_id = %(space)s and line.id = day.id and day.place = 1
"""


def roll_up_reads(space: Space) -> bool:
    """Roll up the oldest day that still has single lines; say whether there may be another one.

    What one client received of one memory for one query on one day (of UTC) becomes one line
    with the number of times. The last days keep every line.
    """
    kept_from = _start_of(_today() - timedelta(days=settings.RECALL_DETAIL_DAYS))
    with inside(space):
        single = Recall.objects.in_space(space).filter(day=None, at__lt=kept_from)
        oldest = single.order_by("at").values_list("at", flat=True).first()
        if oldest is None:
            return False
        day = oldest.astimezone(UTC).date()
        start = _start_of(day)
        values: dict[str, UUID | datetime | date] = {
            "space": space.pk,
            "start": start,
            "end": start + timedelta(days=1),
            "day": day,
        }
        with connection.cursor() as cursor:
            cursor.execute(_ROLL_UP, values)
    return True


def purge_reads(space: Space) -> bool:
    """Delete lines older than the ledger goes back; say whether there may be more."""
    kept_from = timezone.now() - timedelta(days=settings.RECALL_DAYS)
    with inside(space):
        old = Recall.objects.in_space(space).filter(at__lt=kept_from)
        return old.filter(pk__in=_some(old)).delete()[0] >= BATCH


def clear_queries(space: Space) -> bool:
    """Remove what was searched for where the person does not want it kept; say whether more."""
    if not Space.objects.filter(pk=space.pk, keeps_queries=False).exists():
        return False
    with inside(space):
        worded = Recall.objects.in_space(space).exclude(query="")
        return worded.filter(pk__in=_some(worded)).update(query="") >= BATCH


def forget_queries_about(memory: Memory) -> None:
    """Remove the queries that led to a memory whose text is erased: they may say the same."""
    lines = Recall.objects.filter(space_id=memory.space_id)
    about = lines.filter(memory=memory).exclude(query="")
    lines.filter(query__in=list(about.values_list("query", flat=True).distinct())).update(query="")


def _some(lines: QuerySet[Recall]) -> list[UUID]:
    return list(lines.values_list("pk", flat=True)[:BATCH])


def _today() -> date:
    return timezone.now().astimezone(UTC).date()


def _start_of(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
