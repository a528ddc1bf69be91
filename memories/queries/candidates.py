"""What may answer a query: the best by word and the best by meaning, in one statement.

The word arm is BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
Beyond", 2009; k1 = 1.2, b = 0.75). The memories that hold a word of the query are also all that
is needed to count in how many memories of the space it occurs; only the common words of large
spaces are counted beforehand. The meaning arm is the cosine between vectors of one model. Both
arms are taken from live memories only, and every candidate is then weighed by both, and by the
second model where there is one.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.backends.utils import CursorWrapper

from memories.embedders.base import Vector
from memories.queries.arms import (
    EXACT,
    NO_MEANING_ARM,
    RESULT_OF_ONE,
    RESULT_OF_TWO,
    RESULT_OF_WORDS,
    WEIGHED,
    WORD_ARM,
    by_index,
)
from memories.queries.meaning import Question
from memories.queries.sizes import LARGE, space_size, vectors_in_index
from memories.queries.words import CONFIGS, MAX_WORDS, Filters, Values
from memories.rules.languages import language_of
from memories.rules.ranking import Candidate
from spaces.models import Space

# How many each arm brings in.
ARM = 50
# How many of the roughly best by word are weighed exactly, and how many in large spaces.
ROUGHLY_BEST, IN_LARGE = 200, 100
# How many memories the words that are known to be common may bring in: to a search, to a save.
BUDGET = 1000
SMALL_BUDGET = 500
# A space with three memories says little about which words are rare: count as many unseen ones.
UNSEEN = 20
# Above this many memories the nearest vectors come from an index instead of a full comparison.
# The index holds all spaces: where the space is a small part of it, as many vectors of others
# have to be visited, each as dear as comparing this many in a row
# (docs/decisions/0014-search-at-scale.md).
EXACT_UP_TO = 10_000
A_VISIT = 5
# How many places of the index are looked at in one go; it takes no more.
INDEX_EFFORT, MOST_EFFORT = 200, 1000
# How far down the nearest vectors live ones are looked for, when nothing else is filtered.
REACH = 500
INDEX_REACH = 2 * ARM

# The index is read on until enough of the space are found (pgvector, "Iterative Index Scans").
_INDEX_SETTINGS = """
    select set_config('hnsw.iterative_scan', 'strict_order', true),
           set_config('hnsw.max_scan_tuples', '100000', true),
           set_config('hnsw.ef_search', %s, true)
"""


def candidates(
    space: Space,
    query: str,
    *,
    now: datetime,
    filters: Filters,
    question: Question | None = None,
) -> Sequence[Candidate]:
    """Return up to twice `ARM` live memories of the space that may answer, in no order."""
    size = space_size(space)
    is_indexed = question is not None and not filters.narrow and _goes_by_index(question, size)
    values = _words(query, size=size) | filters.values(space, now=now) | {"arm": ARM}
    if question is not None:
        reach = INDEX_REACH if is_indexed else REACH
        values |= _vectors(question) | {"reach": None if filters.narrow else reach}
    with connection.cursor() as cursor:
        if question is not None and is_indexed:
            indexed = vectors_in_index(question.first.model_key) or 0
            prepare_index(cursor, effort=index_effort(indexed, size=size))
        cursor.execute(_statement(question, is_indexed=is_indexed), values)  # type: ignore[arg-type]
        return [Candidate(*row) for row in cursor.fetchall()]


def roughly_best(
    space: Space, query: str, *, now: datetime, filters: Filters, limit: int
) -> list[UUID]:
    """Return the live memories that hold most of the query's telling words, best first.

    It costs half of `candidates`, which counts each word.
    """
    values = _words(query, size=space_size(space)) | filters.values(space, now=now)
    with connection.cursor() as cursor:
        cursor.execute(
            f"with {WORD_ARM} select id from rough",  # noqa: S608  constant text
            values | {"budget": SMALL_BUDGET, "weighed": limit},  # type: ignore[arg-type]
        )
        return [row[0] for row in cursor.fetchall()]


def _words(query: str, *, size: int) -> Values:
    return {
        "query": query,
        "max_words": MAX_WORDS,
        "configs": CONFIGS[language_of(query)],
        "budget": BUDGET,
        "weighed": ROUGHLY_BEST if size < LARGE else IN_LARGE,
        "memories": float(size + UNSEEN),
    }


def prepare_index(cursor: CursorWrapper, *, effort: int) -> None:
    """Let the index search on until it has enough vectors of the space."""
    cursor.execute(_INDEX_SETTINGS, [str(effort)])


def index_effort(indexed: int, *, size: int) -> int:
    """Return how many places to look at in one go: as many as have to be visited anyway.

    With fewer the index goes on in several rounds, which cost the same and find less. `indexed`
    vectors, of all spaces, are in the index, and `size` of them in this one.
    """
    return min(MOST_EFFORT, max(INDEX_EFFORT, INDEX_REACH * indexed // size))


def _goes_by_index(question: Question, size: int) -> bool:
    if size <= EXACT_UP_TO:
        return False
    indexed = vectors_in_index(question.first.model_key)
    if indexed is None:
        return False
    return A_VISIT * INDEX_REACH * indexed <= size * size


def _vectors(question: Question) -> Values:
    values: Values = {
        "vector": vector_text(question.first.vector),
        "model_key": question.first.model_key,
    }
    if question.second is not None:
        values |= {
            "second_vector": vector_text(question.second.vector),
            "second_key": question.second.model_key,
        }
    return values


def _statement(question: Question | None, *, is_indexed: bool) -> str:
    if question is None:
        return f"with {WORD_ARM}, {NO_MEANING_ARM}, {WEIGHED} {RESULT_OF_WORDS}"
    nearest = by_index(len(question.first.vector)) if is_indexed else EXACT
    result = RESULT_OF_ONE if question.second is None else RESULT_OF_TWO
    return f"with {WORD_ARM}, {nearest}, {WEIGHED} {result}"


def vector_text(vector: Vector) -> str:
    """Return the vector as PostgreSQL reads a halfvec."""
    return f"[{','.join(map(str, vector.astype(np.float16).tolist()))}]"
