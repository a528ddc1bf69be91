"""Rows written past the services, by COPY: only for filling spaces that are then measured."""

import itertools
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import psycopg
from numpy.typing import NDArray

from memories.embedders.e5.embedder import CARD as E5
from memories.rules.facts import fact_key, sha256

BATCH = 2000
_COLUMNS = (
    "id, space_id, kind, path, path_key, content, content_sha256, fact_key, source, rationale, "
    "author, client_key, client_name, agent_instance, version, state, state_at, "
    "is_forgotten_by_person, created_at, updated_at, confirmed_at, confirmations, task_key, "
    "checkpoint, compared_version"
)
Connection = psycopg.Connection[tuple[object, ...]]


@contextmanager
def superuser(root: Path) -> Iterator[Connection]:
    """Connect to the database of a data folder past row-level security, which has no COPY."""
    from brain.embedded.folder import DataFolder  # noqa: PLC0415

    folder = DataFolder(root)
    with psycopg.connect(
        host=str(folder.run),
        port=5432,
        user="postgres",
        password=folder.credentials().postgres,
        dbname="brain",
        autocommit=True,
    ) as connection:
        yield connection


def fill_space(
    connection: Connection,
    space_id: str,
    texts: Iterable[str],
    *,
    vectors: NDArray[np.float32] | None = None,
) -> None:
    """Write pointers that say these texts into the space, with these vectors or random ones.

    As after all jobs: each has the vectors of both models and was compared with its nearest.
    """
    done = 0
    for batch in _batches(texts):
        ids = [uuid.uuid4() for _ in batch]
        write_memories(connection, zip(ids, itertools.repeat(space_id), batch))
        own = None if vectors is None else vectors[done : done + len(batch)]
        done += len(batch)
        for key, dimensions in models().items():
            made = own if own is not None and key == E5.key else _unit(len(batch), dimensions)
            _fill_vectors(connection, space_id, zip(ids, batch, made, strict=True), key=key)


def write_memories(connection: Connection, rows: Iterable[tuple[uuid.UUID, str, str]]) -> None:
    """Write pointers, each with its id, its space and its text, on fifty paths."""
    with (
        connection.cursor() as cursor,
        cursor.copy(f"copy memories_memory ({_COLUMNS}) from stdin") as copied,
    ):
        for number, row in enumerate(rows):
            copied.write_row(_memory(*row, number))


def _fill_vectors(
    connection: Connection,
    space_id: str,
    rows: Iterable[tuple[uuid.UUID, str, NDArray[np.float32]]],
    *,
    key: str,
) -> None:
    columns = "id, space_id, memory_id, model_key, content_sha256, embedding, created_at"
    with (
        connection.cursor() as cursor,
        cursor.copy(f"copy memories_memoryvector ({columns}) from stdin") as copied,
    ):
        for row_id, text, vector in rows:
            numbers = f"[{','.join(map(str, vector.tolist()))}]"
            copied.write_row((uuid.uuid4(), space_id, row_id, key, sha256(text), numbers, _NOW))


@cache
def models() -> dict[str, int]:
    """Return the lengths of the vectors that the product makes without any setting, by model."""
    from memories.embedders.choices import options  # noqa: PLC0415
    from memories.embedders.use import load  # noqa: PLC0415

    pairs = load(options(), "")
    return {E5.key: E5.dimensions, pairs.pair_key: pairs.dimensions}


def fill_others(connection: Connection, texts: Iterable[str], *, spaces: int) -> None:
    """Make other spaces and spread the texts over them."""
    owner = connection.execute("select id from accounts_user limit 1").fetchone()
    assert owner is not None
    left = list(texts)
    each = len(left) // spaces
    for number in range(spaces):
        space_id = str(uuid.uuid4())
        connection.execute(
            "insert into spaces_space (id, owner_id, name, description, language, "
            "auto_redact_pii, created_at) values (%s, %s, %s, '', 'en', false, now())",
            [space_id, owner[0], f"Other {number}"],
        )
        fill_space(connection, space_id, left[number * each : (number + 1) * each])


_NOW = "2026-01-01T00:00:00Z"


def _memory(row_id: uuid.UUID, space_id: str, text: str, number: int) -> tuple[object, ...]:
    path = f"Bench.Part{number % 50}"
    who = ("", "", "agent", "", "bench", "")
    return (
        row_id, space_id, "pointer", path, path.lower(), text, sha256(text), fact_key(text), *who,
        1, "active", _NOW, False, _NOW, _NOW, _NOW, 1, "", "{}", 1,
    )  # fmt: skip


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(dict.fromkeys(itertools.islice(rest, BATCH))):
        yield batch


def _unit(count: int, dimensions: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(count).standard_normal((count, dimensions)).astype(np.float32)
    units: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units
