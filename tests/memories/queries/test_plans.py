"""Every hot query starts from the space: its cost follows the space's size, not their number."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from brain.management.owner import as_owner
from memories.embedders.base import Thresholds
from memories.embedders.e5.embedder import CARD
from memories.models import Memory, MemoryVector
from memories.queries import candidates as module
from memories.queries.candidates import candidates
from memories.queries.meaning import Question, Reading
from memories.queries.resume import resume
from memories.queries.search import search
from memories.queries.words import Filters, by_letters
from memories.services.versions import derive
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space

# How the rows of a space's table are reached, with the condition that leads to them.
_SCAN = re.compile(r"(?:Index Scan|Index Only Scan|Bitmap Index Scan)[^\n]*\n\s+[^\n]*Cond: [^\n]*")
_BY_KEY = re.compile(r"Cond: .*\b(?:space_id|id|memory_id) =")
# The counts of common words are one row a space: a few of them are read in full.
_READ_IN_FULL = re.compile(r"Seq Scan on memories_(?!commonwords)")
_READS = re.compile(r"\s*(?:select|with|update)", re.IGNORECASE)


def question() -> Question:
    vector = np.ones(CARD.dimensions, np.float32) / np.sqrt(CARD.dimensions)
    return Question(Reading(CARD.key, vector, Thresholds()))


def ask_by_words(space: Space) -> None:
    with inside(space):
        candidates(space, "deploy friday", now=timezone.now(), filters=Filters())


def ask_by_both(space: Space) -> None:
    with inside(space):
        candidates(
            space, "deploy friday", now=timezone.now(), filters=Filters(), question=question()
        )


def ask_by_letters(space: Space) -> None:
    with inside(space):
        by_letters(space, "deplyo", now=timezone.now(), filters=Filters(), limit=5)


QUERIES: dict[str, Callable[[Space], object]] = {
    "by words": ask_by_words,
    "by both": ask_by_both,
    "by letters": ask_by_letters,
    "paths": lambda space: search(space=space),
    "resume": lambda space: resume(space=space),
    "save": lambda space: make_memory(space, "Another fact about the deployment."),
}


def fill(space: Space, numbers: range) -> None:
    rows = [
        Memory(
            space=space, kind="pointer", path="P", content=f"Deploy {number} now.", author="agent"
        )
        for number in numbers
    ]
    for row in rows:
        derive(row)
    vector = np.ones(CARD.dimensions, np.float32)
    with inside(space):
        Memory.objects.bulk_create(rows)
        MemoryVector.objects.bulk_create(
            MemoryVector(
                space=space,
                memory=row,
                model_key=CARD.key,
                content_sha256=row.content_sha256,
                embedding=vector,
            )
            for row in rows
        )


@pytest.fixture
def crowded(transactional_db: None) -> Space:
    """Return one space of many, which the planner knows."""
    spaces = [make_space() for _ in range(40)]
    for space in spaces:
        fill(space, range(60))
    make_memory(spaces[0], "We deploy on Friday.")
    with as_owner(connection), connection.cursor() as cursor:
        cursor.execute("analyze")
    return spaces[0]


def statements_of(space: Space, run: Callable[[Space], object]) -> list[str]:
    """Return every statement on a space's tables that `run` sends."""
    with CaptureQueriesContext(connection) as queries:
        run(space)
    return [
        each["sql"]
        for each in queries.captured_queries
        if "memories_" in each["sql"] and _READS.match(each["sql"])
    ]


def plans(space: Space, run: Callable[[Space], object]) -> list[str]:
    """Return the plan of every statement on a space's tables that `run` sends."""
    statements = statements_of(space, run)
    with inside(space):
        return [explained(statement) for statement in statements]


def explained(statement: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"explain (costs off) {statement.replace('%', '%%')}", [])
        return "\n".join(row[0] for row in cursor.fetchall())


def test_every_hot_query_starts_from_the_space_or_from_a_row(crowded: Space) -> None:
    for name, query in QUERIES.items():
        found = plans(crowded, query)

        assert found, name
        for plan in found:
            assert not _READ_IN_FULL.search(plan), (name, plan)
            for scan in _SCAN.findall(plan):
                assert _BY_KEY.search(scan), (name, plan)


def test_the_counts_of_common_words_are_read_by_their_space(crowded: Space) -> None:
    with connection.cursor() as cursor:
        cursor.execute("set enable_seqscan = off")
    joined = "\n".join(plans(crowded, ask_by_words))
    with connection.cursor() as cursor:
        cursor.execute("reset enable_seqscan")

    assert re.search(r"Index Scan[^\n]* on memories_commonwords[^\n]*\n[^\n]*space_id =", joined)


def test_words_are_found_through_their_index_under_row_level_security(crowded: Space) -> None:
    fill(crowded, range(100, 3000))
    with as_owner(connection), connection.cursor() as cursor:
        cursor.execute("analyze memories_memory")
        # What was just written waits in a list that makes the index look dear.
        cursor.execute("select gin_clean_pending_list('memories_by_word')")

    with inside(crowded), connection.cursor() as cursor:
        cursor.execute("set local enable_seqscan = off")
        plan = explained(
            f"select id from memories_memory where space_id = '{crowded.pk}' "  # noqa: S608
            "and words @@ 'friday'::tsquery"
        )

    assert re.search(r"Index Cond: .*space_id.*words @@", plan), plan


def test_a_large_space_finds_its_nearest_through_the_vector_index(
    crowded: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXACT_UP_TO", 0)
    monkeypatch.setattr(module, "A_VISIT", 0)

    with connection.cursor() as cursor:
        # Sixty vectors are sorted quicker than they are looked up.
        cursor.execute("set enable_sort = off")
    joined = "\n".join(plans(crowded, ask_by_both))
    with connection.cursor() as cursor:
        cursor.execute("reset enable_sort")

    assert "nearest_of_builtin_e5" in joined


def test_a_small_part_of_the_index_is_compared_exactly_instead(
    crowded: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXACT_UP_TO", 0)

    joined = "\n".join(plans(crowded, ask_by_both))

    assert "nearest_of_builtin_e5" not in joined
    assert "vectors_of_a_model" in joined


def test_the_index_is_that_of_the_built_in_model_s_vectors(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("select indexdef from pg_indexes where indexname = 'nearest_of_builtin_e5'")
        (definition,) = cursor.fetchone()

    assert f"model_key)::text = '{CARD.key}'" in definition
    assert f"halfvec({CARD.dimensions})" in definition


def test_every_index_of_a_space_s_table_begins_with_the_space(db: None) -> None:
    table = Memory._meta.db_table
    for index in [*Memory._meta.indexes]:
        first = (index.fields or [index.expressions[0].name])[0]
        assert first == "space", (table, index.name)
