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

# By word as many as the answer to a save looks at, so that what it names is asked about too.
NEAREST, BY_WORDS, AT_ITS_PATH, WORDS = 10, 10, 5, 8

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

_COSINES = """
    select other.memory_id, 1 - (other.embedding <=> own.embedding)
    from memories_memoryvector own
    join memories_memoryvector other
        on other.space_id = own.space_id and other.model_key = own.model_key
    join memories_memory m on m.space_id = other.space_id and m.id = other.memory_id
        and m.content_sha256 = other.content_sha256
    where own.space_id = %(space)s and own.memory_id = %(memory)s
        and own.model_key = %(model_key)s and other.memory_id = any(%(others)s)
"""


@dataclass(frozen=True, slots=True)
class Alike:
    """A memory that may say the same or the opposite; without a vector there is no cosine."""

    memory: Memory
    cosine: float | None


def alike(memory: Memory, *, model_key: str, now: datetime) -> Sequence[Alike]:
    """Return the live memories nearest to `memory`, by meaning, by word, and at its path.

    Checkpoints are left out: each says where its own task stands. Call it inside its space.
    """
    cosines = _nearest(memory, model_key=model_key, now=now)
    others = [*_by_words(memory, now=now), *_at_its_path(memory, now=now)]
    ids = list(dict.fromkeys([*cosines, *others]))
    cosines |= _cosines(memory, [each for each in ids if each not in cosines], model_key)
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


def _at_its_path(memory: Memory, *, now: datetime) -> list[UUID]:
    there = Memory.objects.filter(space=memory.space, path_key=memory.path_key).live(now=now)
    newest = there.exclude(pk=memory.pk).order_by("-updated_at", "-pk")
    return list(newest.values_list("pk", flat=True)[:AT_ITS_PATH]) if memory.path_key else []


def _cosines(memory: Memory, others: Sequence[UUID], model_key: str) -> dict[UUID, float]:
    """Return the cosines of what came in by another way, as far as there are vectors."""
    if not others or not model_key:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            _COSINES,
            {
                "space": memory.space_id,
                "memory": memory.pk,
                "others": list(others),
                "model_key": model_key,
            },
        )
        return dict(cursor.fetchall())


def _by_words(memory: Memory, *, now: datetime) -> list[UUID]:
    query = " ".join(salient_words(memory.content, WORDS))
    found = candidates(memory.space, query, now=now, filters=Filters(besides=memory.pk))
    return [each.memory_id for each in sorted(found, key=lambda each: -each.bm25)[:BY_WORDS]]
