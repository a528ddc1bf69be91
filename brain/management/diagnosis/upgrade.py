"""What an upgrade to this release will do, before anybody does it."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import psycopg
from django.conf import settings
from django.db import connection
from django.db.models import Count, F, QuerySet
from django.db.utils import OperationalError, ProgrammingError

from brain.embedded.cluster import server_is_running
from brain.management.diagnosis.findings import Finding, note, ok, skipped
from brain.management.upgrading.effects import Weight
from brain.management.upgrading.pending import Judged, Size, pending, sizes
from memories.embedders.choices import NONE
from memories.embedders.registry import search_embedder, search_status
from memories.models import Memory
from spaces.isolation import in_each
from spaces.models import Space

CHECK = "upgrade"
MANY_ROWS = 100_000
_BACKUP = "make a backup first (manage.py backup FILE), then run manage.py migrate"
_SPACES_AT_ONCE = 100


def upgrade() -> Iterator[Finding]:
    """Say what is to be done to the tables; look at no row."""
    if _is_stopped():
        yield _stopped()
        return
    try:
        found = pending()
        if found is None:
            yield ok(CHECK, "nothing is here yet; the first start makes the tables")
        elif not found:
            yield ok(CHECK, "nothing is to be done: the tables are those of this release")
        else:
            yield from _plan(found, sizes())
    except (OperationalError, psycopg.OperationalError) as error:
        yield skipped(CHECK, f"the database doesn't answer: {str(error).strip()}")
    finally:
        connection.close()


def vectors() -> Iterator[Finding]:
    """Say how many memories the active model has to read again; loads the model."""
    if _is_stopped() or search_status().wanted == NONE:
        return
    embedder = search_embedder()
    if embedder is None:
        return
    try:
        missing = _without_vector(embedder.key)
    except (OperationalError, ProgrammingError, psycopg.OperationalError):
        yield skipped("vectors", "can be counted after the migrations")
        return
    finally:
        connection.close()
    if missing:
        yield note(
            "vectors",
            f"{_memories(missing)} none of {embedder.name} in this version; the worker writes "
            "them by itself, and search goes by words there until then",
            remedy="manage.py reembed does it at once",
        )
    else:
        yield ok("vectors", f"every memory has one of {embedder.name}")


def _is_stopped() -> bool:
    return settings.EMBEDDED_DATABASE and not server_is_running(settings.FOLDER)


def _stopped() -> Finding:
    if not settings.FOLDER.pgdata.exists():
        return ok(CHECK, "nothing is here yet; the first start makes the tables")
    return skipped(
        CHECK, "embedded, not running; `manage.py doctor --upgrade` starts it for the look"
    )


def _plan(found: list[Judged], known: dict[str, Size]) -> Iterator[Finding]:
    weights = {each.weight for each in found}
    felt = [known[table] for each in found for table in each.tables if table in known]
    many = any(size.rows > MANY_ROWS for size in felt)
    yield note(CHECK, f"{len(found)} to be applied", remedy=_advice(weights, many=many))
    for each in found:
        yield note(f"migration {each.app}.{each.name}", _told(each, known))


def _advice(weights: set[Weight], *, many: bool) -> str:
    if Weight.BREAKS in weights:
        return f"{_BACKUP}, with every web process and worker of the release before stopped"
    if weights & {Weight.WAITS, Weight.REWRITES} and many:
        return f"{_BACKUP}, at a quiet hour: calls wait for as long as the marked ones take"
    if Weight.UNKNOWN in weights:
        return f"{_BACKUP}, and read the release notes for those with statements of their own"
    return f"{_BACKUP}; the release before may go on running meanwhile"


def _told(migration: Judged, known: dict[str, Size]) -> str:
    does = "; ".join(dict.fromkeys(each.does for each in migration.effects)) or "changes no table"
    felt = [
        f"{table} has about {known[table].rows:,} rows, {known[table].bytes / 1e6:.0f} MB"
        for table in migration.tables
        if table in known
    ]
    return f"{migration.weight.value}: {does}" + (f" ({'; '.join(felt)})" if felt else "")


def _memories(count: int) -> str:
    return "1 memory has" if count == 1 else f"{count:,} memories have"


def _without_vector(model_key: str) -> int:
    """Count over all spaces, inside each in its turn: counts only, as every operator sees them."""

    def ask(space_id: UUID) -> Sequence[QuerySet[Any, Any]]:
        active = Memory.objects.filter(space_id=space_id).active()
        has_one = active.filter(
            vectors__model_key=model_key, vectors__content_sha256=F("content_sha256")
        )
        without = active.exclude(pk__in=has_one.values("pk")).values("space_id")
        return [without.annotate(count=Count("pk")).values_list("count")]

    missing = 0
    ids = list(Space.objects.values_list("pk", flat=True))
    for start in range(0, len(ids), _SPACES_AT_ONCE):
        found = in_each(ids[start : start + _SPACES_AT_ONCE], ask=ask)
        missing += sum(count for (rows,) in found.values() for (count,) in rows)
    return missing
