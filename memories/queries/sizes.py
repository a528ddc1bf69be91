"""How many memories a space has: exactly for small ones, as of a minute ago for large ones."""

import time
from uuid import UUID

from django.db import connection

from memories.models import State
from spaces.models import Space

# Counting is quick below this; above it a minute's change moves no ranking.
SMALL = 1000
# From here on common words are counted beforehand (memories/services/counting.py); below it a
# query may look at every memory that holds one of its words.
LARGE = 2000
KEPT_FOR = 60
MOST_KEPT = 10_000

_kept: dict[UUID, tuple[float, int]] = {}
_indexed: dict[str, tuple[float, int | None]] = {}

# Written out: every search and every save asks it, and building it costs more than asking.
_ACTIVE = "select count(*) from memories_memory where space_id = %s and state = %s"
_IN_INDEX = """
    select max(entry.reltuples)::bigint
    from pg_index join pg_class entry on entry.oid = pg_index.indexrelid
    where pg_index.indrelid = 'memories_memoryvector'::regclass and pg_index.indisvalid
        and pg_get_indexdef(pg_index.indexrelid) like '%%hnsw%%'
        and position(%s in pg_get_indexdef(pg_index.indexrelid)) > 0
"""


def space_size(space: Space) -> int:
    """Return the number of active memories; needs to run inside the space."""
    moment, size = _kept.get(space.pk, (0.0, 0))
    if size >= SMALL and time.monotonic() - moment < KEPT_FOR:
        return size
    with connection.cursor() as cursor:
        cursor.execute(_ACTIVE, [space.pk, State.ACTIVE])
        size = int(cursor.fetchone()[0])
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    _kept[space.pk] = (time.monotonic(), size)
    return size


def vectors_in_index(model_key: str) -> int | None:
    """Return about how many vectors, of all spaces, the model's index holds; None without one."""
    moment, size = _indexed.get(model_key, (-KEPT_FOR, None))
    if time.monotonic() - moment >= KEPT_FOR:
        with connection.cursor() as cursor:
            cursor.execute(_IN_INDEX, [model_key])
            (size,) = cursor.fetchone()
        _indexed[model_key] = (time.monotonic(), size)
    return size
