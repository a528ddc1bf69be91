"""How a query is taken apart into words, and which memories may be found at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from memories.rules.languages import Language
from spaces.models import Space

MAX_WORDS = 64
# The text search configurations by which a query in each language is read: its own stemmer and
# the plain word; a query that does not tell its language is read by both stemmers.
CONFIGS: dict[Language, list[str]] = {
    "en": ["en", "exact"],
    "pt": ["pt", "exact"],
    "": ["en", "pt", "exact"],
}
# Below this share of letters in common (pg_trgm's word_similarity) a word is another word.
MIN_LETTERS = 0.45

Values = dict[str, object]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must be, decided before anything is ranked."""

    kinds: Sequence[str] = ()
    path_key: str = ""
    besides: UUID | None = None
    author: str = ""
    client_key: str = ""

    @property
    def narrow(self) -> bool:
        """Say whether most memories of the space may be left out."""
        return bool(self.kinds or self.path_key or self.author or self.client_key)

    def values(self, space: Space, *, now: datetime) -> Values:
        """Return the parameters of `LIVE`."""
        return {
            "space": space.pk,
            "now": now,
            "kinds": list(self.kinds),
            "path": self.path_key,
            "besides": self.besides,
            "author": self.author,
            "client": self.client_key,
        }


LIVE = """
    m.space_id = %(space)s and m.state = 'active'
    and (m.expires_at is null or m.expires_at > %(now)s)
    and (cardinality(%(kinds)s::text[]) = 0 or m.kind = any(%(kinds)s::text[]))
    and (%(path)s = '' or m.path_key = %(path)s or starts_with(m.path_key, %(path)s || '.'))
    and (%(besides)s::uuid is null or m.id <> %(besides)s::uuid)
    and (%(author)s = '' or m.author = %(author)s)
    and (%(client)s = '' or m.client_key = %(client)s)
"""

# The three configurations share one parser, so a position names the same word in all of them;
# a stop word is missing in one of the languages. Nothing but stop words counts as words.
QUERY_WORDS = """
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
               count(distinct config) = cardinality(%(configs)s::text[]) as is_content
        from lexemes where config = any(%(configs)s::text[]) group by position
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
    )
"""

_BY_LETTERS = f"""
    with wanted as (
        select distinct word from regexp_split_to_table(lower(%(query)s), '[^[:alnum:]]+') as word
        where char_length(word) >= 4 limit %(max_words)s
    )
    select m.id, sum(word_similarity(wanted.word, m.content)) / (select count(*) from wanted)
        as likeness
    from memories_memory m join wanted on m.content %%> wanted.word
    where {LIVE}
    group by m.id, m.updated_at
    having sum(word_similarity(wanted.word, m.content))
        >= %(letters)s * (select count(*) from wanted)
    order by likeness desc, m.updated_at desc, m.id
    limit %(limit)s
"""  # noqa: S608  constant text; values are parameters


def by_letters(
    space: Space, query: str, *, now: datetime, filters: Filters, limit: int
) -> list[tuple[UUID, float]]:
    """Return live memories with words spelt almost like those of `query`, for typos.

    Each with pg_trgm's word similarity (0 to 1), the mean over the query's words.
    """
    values = filters.values(space, now=now) | {
        "query": query,
        "limit": limit,
        "max_words": MAX_WORDS,
        "letters": MIN_LETTERS,
    }
    with connection.cursor() as cursor:
        # What the operator %> asks for; a function in its place could not use the index.
        cursor.execute(
            "select set_config('pg_trgm.word_similarity_threshold', %s, true)", [str(MIN_LETTERS)]
        )
        cursor.execute(_BY_LETTERS, values)  # type: ignore[arg-type]
        rows: list[tuple[UUID, float]] = cursor.fetchall()
    return rows
