"""Which live memories are about the same thing as one of them, by meaning and by word."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from memories.models import Kind, Memory
from memories.queries.candidates import candidates
from memories.queries.words import LIVE, Filters
from memories.rules.salience import salient_words

NEAREST, BY_WORDS, WORDS = 10, 5, 8

_NEAREST = f"""
    select m.id, 1 - v.distance as cosine
    from (
        select other.memory_id, other.content_sha256,
               other.embedding <=> own.embedding as distance
        from memories_memoryvector own
        join memories_memoryvector other
            on other.space_id = own.space_id and other.model_key = own.model_key
        where own.space_id = %(space)s and own.memory_id = %(besides)s
            and own.model_key = %(model_key)s and other.space_id = %(space)s
        order by distance
        offset 0
    ) v
    cross join lateral (
        select m.id from memories_memory m
        where m.id = v.memory_id and m.content_sha256 = v.content_sha256 and {LIVE} limit 1
    ) m
    order by v.distance
    limit %(limit)s
"""  # noqa: S608  constant text; values are parameters


@dataclass(frozen=True, slots=True)
class Alike:
    """A memory that may say the same or the opposite; without a vector there is no cosine."""

    memory: Memory
    cosine: float | None


def alike(memory: Memory, *, model_key: str, now: datetime) -> Sequence[Alike]:
    """Return the live memories nearest to `memory`; call it inside its space.

    Checkpoints are left out: each says where its own task stands.
    """
    cosines = _nearest(memory, model_key=model_key, now=now)
    ids = list(cosines) + [each for each in _by_words(memory, now=now) if each not in cosines]
    rows = Memory.objects.filter(space=memory.space).exclude(kind=Kind.CHECKPOINT).in_bulk(ids)
    return [Alike(rows[each], cosines.get(each)) for each in ids if each in rows]


def _nearest(memory: Memory, *, model_key: str, now: datetime) -> dict[UUID, float]:
    values = Filters(besides=memory.pk).values(memory.space, now=now)
    with connection.cursor() as cursor:
        cursor.execute(
            _NEAREST,
            values | {"model_key": model_key, "limit": NEAREST},  # type: ignore[arg-type]
        )
        return dict(cursor.fetchall())


def _by_words(memory: Memory, *, now: datetime) -> list[UUID]:
    query = " ".join(salient_words(memory.content, WORDS))
    found = candidates(memory.space, query, now=now, filters=Filters(besides=memory.pk))
    return [each.memory_id for each in sorted(found, key=lambda each: -each.bm25)[:BY_WORDS]]
