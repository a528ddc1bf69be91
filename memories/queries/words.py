"""The word arm of search: BM25 over both stemmers, exact words, and letters for typos.

BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
(2009), k1 = 1.2, b = 0.75. The memories that hold any word of the query are also all that is
needed to count in how many memories of the space each word occurs, so no statistics are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from memories.queries.sizes import space_size
from spaces.models import Space

K1, B = 1.2, 0.75
MAX_WORDS = 64
# How many of the roughly best are weighed exactly.
WEIGHED = 200
# A space with three memories says little about which words are rare: count as many unseen ones.
UNSEEN = 20
# Below this share of letters in common (pg_trgm's word_similarity) a word is another word.
MIN_LETTERS = 0.45


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must be, decided before anything is ranked."""

    kinds: Sequence[str] = ()
    path_key: str = ""
    besides: UUID | None = None


@dataclass(frozen=True, slots=True)
class WordHit:
    """A memory that has words of the query; `bm25` has no upper bound.

    `coverage` (0 to 1) is the share of the query's information (the sum of the inverse
    document frequencies of its words) that the memory holds.
    """

    memory_id: UUID
    bm25: float
    coverage: float


_LIVE = """
    m.space_id = %(space)s and m.state = 'active'
    and (m.expires_at is null or m.expires_at > %(now)s)
    and (cardinality(%(kinds)s::text[]) = 0 or m.kind = any(%(kinds)s::text[]))
    and (%(path)s = '' or m.path_key = %(path)s or starts_with(m.path_key, %(path)s || '.'))
    and (%(besides)s::uuid is null or m.id <> %(besides)s::uuid)
"""

# The three configurations share one parser, so a position names the same word in all of them;
# a stop word is missing in one of the languages. Nothing but stop words counts as words.
_QUERY_WORDS = """
    lexemes as (
        select config, lexeme, unnest(positions) as position from (
            select 'en' as config, (unnest(to_tsvector('brain_en', %(query)s))).*
            union all
            select 'pt', (unnest(to_tsvector('brain_pt', %(query)s))).*
            union all
            select 'exact', (unnest(to_tsvector('brain_exact', %(query)s))).*
        ) as vectors
    ),
    positions as (
        select position, array_agg(distinct lexeme order by lexeme) as variants,
               count(distinct config) = 3 as is_content
        from lexemes group by position
    ),
    words as (
        select variants, row_number() over (order by min(position)) as word
        from positions
        where is_content or not exists (select from positions where is_content)
        group by variants
        order by min(position)
        limit %(max_words)s
    ),
    variants as (
        select word, variant, quoted,
               (select count(*) from lexemes l where l.lexeme = variant
                and l.position = (select min(position) from lexemes where lexeme = variant)
               ) as times
        from words, unnest(variants) as variant,
             concat('''', replace(replace(variant, '\\', '\\\\'), '''', ''''''), '''') as quoted
    ),
    terms as materialized (
        select word, string_agg(quoted, ' | ')::tsquery as any_form from variants group by word
    ),
    question as materialized (
        select string_agg(quoted, ' | ')::tsquery as any_word from variants
    )
"""

# First every candidate is weighed as if it held each word once, then the best ones exactly:
# to count words, a memory's whole vector has to be unpacked.
_BM25 = f"""
    with {_QUERY_WORDS},
    candidates as materialized (
        select m.id, m.updated_at, char_length(m.content) as length,
               array(select word from terms where m.words @@ terms.any_form) as held
        from memories_memory m, question
        where {_LIVE} and m.words @@ question.any_word
    ),
    usual as materialized (select greatest(avg(length), 1)::float as length from candidates),
    frequencies as (
        select word, count(*) as memories from candidates, unnest(held) as word group by word
    ),
    weights as materialized (
        select terms.word,
               ln(1 + (%(memories)s - n + 0.5) / (n + 0.5)) as idf
        from terms left join frequencies using (word),
             least(coalesce(frequencies.memories, 0), %(memories)s) as n
    ),
    roughly as (
        select c.id, c.updated_at,
               {K1} * (1 - {B} + {B} * c.length / usual.length) as damping,
               sum(idf) / (1 + {K1} * (1 - {B} + {B} * c.length / usual.length)) as rough,
               sum(idf) / (select sum(idf) from weights) as coverage
        from candidates c, usual, unnest(c.held) as held join weights on weights.word = held
        group by c.id, c.updated_at, c.length, usual.length
        order by rough desc, c.updated_at desc, c.id
        limit %(weighed)s
    ),
    counts as (
        select r.id, v.word, max(cardinality(w.positions)::float / v.times) as tf
        from roughly r
        join memories_memory m on m.space_id = %(space)s and m.id = r.id
        cross join unnest(m.words) as w
        join variants v on v.variant = w.lexeme
        group by r.id, v.word
    )
    select r.id, sum(idf * tf * ({K1} + 1) / (tf + r.damping)) as bm25, r.coverage
    from roughly r join counts on counts.id = r.id join weights on weights.word = counts.word
    group by r.id, r.updated_at, r.coverage
    order by bm25 desc, r.updated_at desc, r.id
    limit %(limit)s
"""  # noqa: S608  constant text; values are parameters

_BY_LETTERS = f"""
    with wanted as (
        select distinct word from regexp_split_to_table(lower(%(query)s), '[^[:alnum:]]+') as word
        where char_length(word) >= 4 limit %(max_words)s
    )
    select m.id, 0, sum(word_similarity(wanted.word, m.content)) / (select count(*) from wanted)
        as likeness
    from memories_memory m join wanted on m.content %%> wanted.word
    where {_LIVE}
    group by m.id, m.updated_at
    having sum(word_similarity(wanted.word, m.content))
        >= %(letters)s * (select count(*) from wanted)
    order by likeness desc, m.updated_at desc, m.id
    limit %(limit)s
"""  # noqa: S608


def by_words(
    space: Space, query: str, *, now: datetime, filters: Filters, limit: int
) -> list[WordHit]:
    """Return the live memories of the space that hold words of `query`, best first."""
    rows = _rows(_BM25, space, query, now=now, filters=filters, limit=limit)
    return [WordHit(row[0], float(row[1]), min(1.0, float(row[2]))) for row in rows]


def by_letters(
    space: Space, query: str, *, now: datetime, filters: Filters, limit: int
) -> list[WordHit]:
    """Return the live memories with a word spelt almost like `query`; for typos.

    `coverage` is pg_trgm's word similarity, halved: a guess is never a certain hit.
    """
    with connection.cursor() as cursor:
        # What the operator %> asks for; a function in its place could not use the index.
        cursor.execute(
            "select set_config('pg_trgm.word_similarity_threshold', %s, true)", [str(MIN_LETTERS)]
        )
    rows = _rows(_BY_LETTERS, space, query, now=now, filters=filters, limit=limit)
    return [WordHit(row[0], 0.0, float(row[2]) / 2) for row in rows]


def by_words_or_letters(
    space: Space, query: str, *, now: datetime, filters: Filters, limit: int
) -> list[WordHit]:
    """Return what holds words of `query`; only when nothing does, what is spelt almost like it."""
    hits = by_words(space, query, now=now, filters=filters, limit=limit)
    return hits or by_letters(space, query, now=now, filters=filters, limit=limit)


def _rows(
    sql: str, space: Space, query: str, *, now: datetime, filters: Filters, limit: int
) -> list[tuple[UUID, float, float]]:
    values: dict[str, Any] = {
        "space": space.pk,
        "query": query,
        "now": now,
        "kinds": list(filters.kinds),
        "path": filters.path_key,
        "besides": filters.besides,
        "limit": limit,
        "max_words": MAX_WORDS,
        "weighed": max(WEIGHED, limit),
        "memories": float(space_size(space) + UNSEEN),
        "letters": MIN_LETTERS,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[UUID, float, float]] = cursor.fetchall()
    return rows
