"""The SQL of the two arms of search: which memories may answer, by word and by meaning.

Rows are looked up one by one (`lateral … limit 1`), so that the cost follows the number of
candidates also while PostgreSQL has no statistics of a new space.
"""

from memories.queries.words import LIVE, QUERY_WORDS

K1, B = 1.2, 0.75

# A space that is large has its common words counted (memories/services/counting.py). What the
# rarer words of a query bring in is bounded by `budget`; the common ones count with their known
# frequency in the weights of what was brought in. Where all words are too common, the memories
# that hold every word are looked at if they are expected to be few, and the newest ones.
_SOUGHT = """
    terms as materialized (
        select word, string_agg(quoted, ' | ')::tsquery as any_form,
               max((common.counts ->> variant)::float) as known
        from variants left join memories_commonwords common on common.space_id = %(space)s
        group by word
    ),
    ordered as materialized (
        select word, any_form, known,
               known is null or sum(known) over rarest_first <= %(budget)s as is_sought
        from terms window rarest_first as (order by known nulls first, word)
    ),
    question as materialized (
        select string_agg(any_form::text, ' | ') filter (where is_sought)::tsquery as sought,
               case when %(memories)s::float * exp(sum(ln(known / %(memories)s::float)))
                        <= %(budget)s
                    then string_agg('(' || any_form::text || ')', ' & ')::tsquery
               end as every_word,
               string_agg(any_form::text, ' | ')::tsquery as any_word
        from ordered
    )
"""

_HOLDERS = f"""
    holders as materialized (
        select m.id, m.updated_at, char_length(m.content) as length,
               array(select word from terms where m.words @@ terms.any_form) as held
        from (
            select m.id, m.updated_at, m.content, m.words
            from memories_memory m, question
            where {LIVE} and m.words @@ question.sought
            union all
            select m.id, m.updated_at, m.content, m.words
            from memories_memory m, question
            where question.sought is null and {LIVE} and m.words @@ question.every_word
            union all
            select newest.id, newest.updated_at, newest.content, newest.words
            from question
            cross join lateral (
                select m.id, m.updated_at, m.content, m.words from memories_memory m
                where question.sought is null and {LIVE}
                order by m.updated_at desc, m.id limit %(budget)s
            ) newest
            where newest.words @@ question.any_word
                and (newest.words @@ question.every_word) is not true
        ) m
    )
"""  # noqa: S608  constant text; values are parameters

# First every holder is weighed as if it held each word once, then the best ones exactly: to
# count words, a memory's whole vector of words has to be unpacked.
WORD_ARM = f"""
    {QUERY_WORDS},
    {_SOUGHT},
    {_HOLDERS},
    usual as materialized (select greatest(avg(length), 1)::float as length from holders),
    frequencies as (
        select word, count(*) as memories from holders, unnest(held) as word group by word
    ),
    weights as materialized (
        select word, ln(1 + (%(memories)s::float - n + 0.5) / (n + 0.5)) as idf
        from ordered left join frequencies using (word),
             least(case when is_sought then coalesce(memories, 0) else known end,
                   %(memories)s::float) as n
    ),
    rough as materialized (
        select h.id, sum(idf) / (1 + {K1} * (1 - {B} + {B} * h.length / usual.length)) as rough
        from holders h, usual, unnest(h.held) as held join weights on weights.word = held
        group by h.id, h.updated_at, h.length, usual.length
        order by rough desc, h.updated_at desc, h.id
        limit %(weighed)s
    )
"""  # noqa: S608

NO_MEANING_ARM = "nearest as (select null::uuid as id, null::float as cosine where false)"

# The nearest vectors in order of distance, of which live ones are taken until there are enough:
# whatever the planner knows of the tables, it never compares all with all. `reach` is null
# where filters may leave out most of them.
_NEAREST = f"""
    nearest as materialized (
        select m.id, 1 - v.distance as cosine
        from (
            select memory_id, content_sha256, {{distance}} as distance
            from memories_memoryvector
            where space_id = %(space)s and model_key = %(model_key)s
            order by {{distance}}
            limit %(reach)s offset 0
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
EXACT = _NEAREST.format(distance="(embedding <=> %(vector)s::halfvec)")


def by_index(dimensions: int) -> str:
    """Return the meaning arm as the index over vectors of this length can serve it."""
    length = f"halfvec({dimensions})"
    return _NEAREST.format(distance=f"(embedding::{length} <=> %(vector)s::{length})")


WEIGHED = f"""
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

RESULT_OF_WORDS = _RESULT.format(cosine="null::float", second="null::float", join="")
RESULT_OF_ONE = _RESULT.format(cosine=_COSINE, second="null::float", join=_COSINE_JOIN)
RESULT_OF_TWO = _RESULT.format(cosine=_COSINE, second=_SECOND, join=_COSINE_JOIN + _SECOND_JOIN)
