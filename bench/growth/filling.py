"""Many spaces and all their rows, written past the services.

Import it only where Django is set up.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from uuid import UUID

import numpy as np
from psycopg import sql

from accounts.models import User
from bench.growth.texts import Texts
from bench.rows import Connection, models, write_memories
from brain.lib.ids import new_id
from memories.embedders.e5.embedder import CARD
from memories.embedders.registry import search_embedder
from spaces.models import Space

BATCH = 20_000
SPACES_OF_ONE = 4
SEEDS, NOISES = 1000, 2048
# Two of them on a seed give a cosine of about .95 with it, as paraphrases have.
NOISE = 0.23

_TABLE = "create temporary table {name} (number int primary key, vector halfvec({dimensions}))"
# The same number for a row in each statement, and different ones for `salt`.
_PICK = "mod(hashtext(m.id::text || '{salt}') & 2147483647, {count})"
_VECTORS = """
    insert into memories_memoryvector
        (id, space_id, memory_id, model_key, content_sha256, embedding, created_at)
    select gen_random_uuid(), m.space_id, m.id, %s, m.content_sha256,
           l2_normalize(seed.vector + one.vector + two.vector), m.created_at
    from memories_memory m
    join {key}_seeds seed on seed.number = {seed}
    join {key}_noises one on one.number = {one}
    join {key}_noises two on two.number = {two}
"""
# What the services write beside a memory: its version, its line in the log, links, and reads.
BESIDE = {
    "versions, one each": """
        insert into memories_memoryversion
            (id, space_id, memory_id, number, kind, path, content, content_sha256, source,
             rationale, checkpoint, operation, reason, author, client_key, client_name,
             agent_instance, created_at)
        select gen_random_uuid(), space_id, id, 1, kind, path, content, content_sha256, source,
               rationale, checkpoint, 'created', '', author, client_key, client_name,
               agent_instance, created_at
        from memories_memory
    """,
    "activity, one line each": """
        insert into memories_activity
            (id, space_id, memory_id, verb, version, reason, door, is_agent, client_key,
             client_name, agent_instance, at, standing)
        select gen_random_uuid(), space_id, id, 'saved', 1, '', 'mcp', true,
               'app:' || space_id, 'Claude Code', '', created_at,
               '{"state": "active", "expires_at": null, "is_forgotten_by_person": false, '
               '"superseded_by": null}'
        from memories_memory
    """,
    "links, two each": """
        insert into memories_memorylink (id, space_id, first_id, second_id, reason, weight, made_at)
        select gen_random_uuid(), space_id, id, second, reason, .9, created_at
        from (
            select space_id, id, created_at, reason,
                   lead(id, step) over (partition by space_id, reason order by id) as second
            from memories_memory, (values ('same_path', 1), ('similar', 3)) as two (reason, step)
        ) pairs
        where second is not null
    """,
    "reads, one each": """
        insert into memories_recall
            (id, space_id, memory_id, way, query, client_key, client_name, agent_instance,
             at, day, times)
        select gen_random_uuid(), space_id, id, 'searched', left(content, 40),
               'app:' || space_id, 'Claude Code', '', created_at, created_at::date, 1
        from memories_memory
    """,
}


def make_spaces(count: int) -> list[UUID]:
    """Make accounts with four spaces each, and return the ids of the spaces."""
    people = [
        User(email=f"person{number}@example.org", password="!")  # noqa: S106  nobody's
        for number in range(-(-count // SPACES_OF_ONE))
    ]
    User.objects.bulk_create(people)
    spaces = [
        Space(owner=people[number // SPACES_OF_ONE], name=f"Space {number}")
        for number in range(count)
    ]
    Space.objects.bulk_create(spaces)
    return [space.pk for space in spaces]


def fill_memories(
    connection: Connection, space_ids: Sequence[UUID], counts: Sequence[int], *, texts: Texts
) -> None:
    """Write the memories of all spaces in turn, as time would have mixed them."""
    owners = np.repeat(np.arange(len(counts)), counts)
    np.random.default_rng(1).shuffle(owners)
    names = [str(space_id) for space_id in space_ids]
    rows = (
        (new_id(), names[owner], text) for owner, text in zip(owners.tolist(), texts, strict=False)
    )
    while batch := list(islice(rows, BATCH)):
        write_memories(connection, batch)


def vectors(connection: Connection, *, texts: Texts) -> Iterator[tuple[str, Callable[[], object]]]:
    """Prepare the vectors of one model after the other; return its key, and what writes them."""
    for number, (key, dimensions) in enumerate(models().items()):
        name = f"model{number}"
        _put(connection, f"{name}_seeds", _seeds(key, dimensions, texts))
        _put(connection, f"{name}_noises", NOISE * _units(NOISES, dimensions))
        seeds = _PICK.format(salt="seed", count=SEEDS)
        one, two = (_PICK.format(salt=salt, count=NOISES) for salt in ("one", "two"))
        statement = _VECTORS.format(key=name, seed=seeds, one=one, two=two)
        yield key, partial(connection.execute, statement, [key])


def _seeds(key: str, dimensions: int, texts: Texts) -> "np.typing.NDArray[np.float32]":
    """Return real vectors for the model that search uses, and random ones for the other."""
    embedder = search_embedder()
    if key != CARD.key or embedder is None:
        return _units(SEEDS, dimensions)
    read = list(islice(texts, SEEDS))
    batches = (read[at : at + 32] for at in range(0, SEEDS, 32))
    return np.concatenate([embedder.embed_documents(batch) for batch in batches])


def _units(count: int, dimensions: int) -> "np.typing.NDArray[np.float32]":
    rows = np.random.default_rng(count).standard_normal((count, dimensions)).astype(np.float32)
    units: np.typing.NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


def _put(connection: Connection, table: str, rows: "np.typing.NDArray[np.float32]") -> None:
    name, dimensions = sql.Identifier(table), sql.Literal(rows.shape[1])
    connection.execute(sql.SQL(_TABLE).format(name=name, dimensions=dimensions))
    copy = sql.SQL("copy {name} from stdin").format(name=name)
    with connection.cursor() as cursor, cursor.copy(copy) as copied:
        for number, row in enumerate(rows):
            copied.write_row((number, f"[{','.join(f'{value:.5f}' for value in row)}]"))
    connection.execute(sql.SQL("analyze {name}").format(name=name))
