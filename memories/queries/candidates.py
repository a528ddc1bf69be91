"""What may answer a query: the best by word and the best by meaning, in one statement.

The word arm is BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
Beyond", 2009; k1 = 1.2, b = 0.75). The memories that hold any word of the query are also all
that is needed to count in how many memories of the space each word occurs, so no statistics
are kept. The meaning arm is the cosine between vectors of one model. Both arms are taken from
live memories only, and every candidate is then weighed by both, and by the second model where
there is one.
"""

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from django.db import connection

from memories.embedders.base import Vector
from memories.queries.meaning import Question
from memories.queries.sizes import space_size
from memories.queries.words import CONFIGS, LIVE, MAX_WORDS, QUERY_WORDS, Filters, Values
from memories.rules.languages import language_of
from memories.rules.ranking import Candidate
from spaces.models import Space

K1, B = 1.2, 0.75
# How many each arm brings in.
ARM = 50
# How many of the roughly best by word are weighed exactly.
WEIGHED = 200
# A space with three memories says little about which words are rare: count as many unseen ones.
UNSEEN = 20
# Above this many memories the nearest vectors come from an index instead of a full comparison.
EXACT_UP_TO = 30_000
INDEX_EFFORT = 120

# Rows are looked up one by one (`lateral … limit 1`), so that the cost follows the number of
# candidates also while PostgreSQL has no statistics of a new space.

# First every memory with a word is weighed as if it held each word once, then the best ones
# exactly: to count words, a memory's whole vector of words has to be unpacked.
_WORD_ARM = f"""
    {QUERY_WORDS},
    holders as materialized (
        select m.id, m.updated_at, char_length(m.content) as length,
               array(select word from terms where m.words @@ terms.any_form) as held
        from memories_memory m, question
        where {LIVE} and m.words @@ question.any_word
    ),
    usual as materialized (select greatest(avg(length), 1)::float as length from holders),
    frequencies as (
        select word, count(*) as memories from holders, unnest(held) as word group by word
    ),
    weights as materialized (
        select terms.word, ln(1 + (%(memories)s::float - n + 0.5) / (n + 0.5)) as idf
        from terms left join frequencies using (word),
             least(coalesce(frequencies.memories, 0), %(memories)s::float) as n
    ),
    rough as materialized (
        select h.id, sum(idf) / (1 + {K1} * (1 - {B} + {B} * h.length / usual.length)) as rough
        from holders h, usual, unnest(h.held) as held join weights on weights.word = held
        group by h.id, h.updated_at, h.length, usual.length
        order by rough desc, h.updated_at desc, h.id
        limit %(weighed)s
    )
"""  # noqa: S608  constant text; values are parameters

_NO_MEANING = "nearest as (select null::uuid as id, null::float as cosine where false)"

# All vectors of the space in order of distance, of which live ones are taken until there are
# enough: whatever the planner knows of the tables, it never compares all with all.
_EXACT = f"""
    nearest as materialized (
        select m.id, 1 - v.distance as cosine
        from (
            select memory_id, content_sha256, embedding <=> %(vector)s::halfvec as distance
            from memories_memoryvector
            where space_id = %(space)s and model_key = %(model_key)s
            order by distance
            offset 0
        ) v
        cross join lateral (
            select m.id from memories_memory m
            where m.id = v.memory_id and m.content_sha256 = v.content_sha256 and {LIVE}
            limit 1
        ) m
        order by v.distance
        limit %(arm)s
    )
"""  # noqa: S608

_INDEXED = f"""
    nearest as materialized (
        select m.id, 1 - (v.embedding::halfvec({{dimensions}}) <=> %(vector)s::halfvec) as cosine
        from memories_memoryvector v
        join memories_memory m on m.space_id = v.space_id and m.id = v.memory_id
            and m.content_sha256 = v.content_sha256
        where v.space_id = %(space)s and v.model_key = %(model_key)s and {LIVE}
        order by v.embedding::halfvec({{dimensions}}) <=> %(vector)s::halfvec({{dimensions}})
        limit %(arm)s
    )
"""  # noqa: S608

# The index holds all spaces: it goes on until enough of this one are found (pgvector,
# "Iterative Index Scans").
_INDEX_SETTINGS = """
    select set_config('hnsw.iterative_scan', 'strict_order', true),
           set_config('hnsw.ef_search', %s, true)
"""

_WEIGHED = f"""
    pool as materialized (select id from rough union select id from nearest),
    counts as (
        select p.id, v.word, max(cardinality(w.positions)::float / v.times) as tf,
               max(char_length(m.content)) as length
        from pool p
        cross join lateral (
            select words, content from memories_memory
            where space_id = %(space)s and id = p.id limit 1
        ) m
        cross join lateral unnest(m.words) as w
        join variants v on v.variant = w.lexeme
        group by p.id, v.word
    ),
    worded as materialized (
        select c.id,
               sum(idf * tf * ({K1} + 1)
                   / (tf + {K1} * (1 - {B} + {B} * c.length / usual.length))) as bm25,
               sum(idf) / (select sum(idf) from weights) as coverage
        from counts c join weights on weights.word = c.word cross join usual
        group by c.id
    ),
    best as materialized (
        (select id from worded order by bm25 desc, id limit %(arm)s)
        union select id from nearest
    )
"""  # noqa: S608

_RESULT = """
    select m.id, m.updated_at, coalesce(worded.bm25, 0)::float,
           coalesce(worded.coverage, 0)::float, ({cosine})::float, ({second})::float
    from best
    cross join lateral (
        select id, updated_at, content_sha256 from memories_memory
        where space_id = %(space)s and id = best.id limit 1
    ) m
    left join worded on worded.id = best.id
    {join}
"""

# A memory that came in by word gets its cosine too, if it has a vector.
_COSINE_JOIN = """
    left join nearest on nearest.id = best.id
    left join lateral (
        select embedding from memories_memoryvector
        where space_id = %(space)s and memory_id = m.id and model_key = %(model_key)s
            and content_sha256 = m.content_sha256 and nearest.id is null limit 1
    ) v on true
"""
_COSINE = "coalesce(nearest.cosine, 1 - (v.embedding <=> %(vector)s::halfvec))"

_SECOND_JOIN = """
    left join lateral (
        select embedding from memories_memoryvector
        where space_id = %(space)s and memory_id = m.id and model_key = %(second_key)s
            and content_sha256 = m.content_sha256 limit 1
    ) s on true
"""
_SECOND = "1 - (s.embedding <=> %(second_vector)s::halfvec)"


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
    values: Values = filters.values(space, now=now) | {
        "query": query,
        "max_words": MAX_WORDS,
        "configs": CONFIGS[language_of(query)],
        "weighed": WEIGHED,
        "arm": ARM,
        "memories": float(size + UNSEEN),
    }
    if question is not None:
        values |= {
            "vector": _text(question.first.vector),
            "model_key": question.first.model_key,
        }
        if question.second is not None:
            values |= {
                "second_vector": _text(question.second.vector),
                "second_key": question.second.model_key,
            }
    sql = _statement(question, is_large=size > EXACT_UP_TO)
    with connection.cursor() as cursor:
        if question is not None and size > EXACT_UP_TO:
            cursor.execute(_INDEX_SETTINGS, [str(INDEX_EFFORT)])
        cursor.execute(sql, values)  # type: ignore[arg-type]
        return [Candidate(*row) for row in cursor.fetchall()]


def _statement(question: Question | None, *, is_large: bool) -> str:
    if question is None:
        result = _RESULT.format(cosine="null::float", second="null::float", join="")
        return f"with {_WORD_ARM}, {_NO_MEANING}, {_WEIGHED} {result}"
    nearest = _EXACT
    if is_large:
        nearest = _INDEXED.format(dimensions=len(question.first.vector))
    second, join = "null::float", _COSINE_JOIN
    if question.second is not None:
        second, join = _SECOND, _COSINE_JOIN + _SECOND_JOIN
    result = _RESULT.format(cosine=_COSINE, second=second, join=join)
    return f"with {_WORD_ARM}, {nearest}, {_WEIGHED} {result}"


def _text(vector: Vector) -> str:
    """Return the vector as PostgreSQL reads a halfvec."""
    return f"[{','.join(map(str, vector.astype(np.float16).tolist()))}]"
