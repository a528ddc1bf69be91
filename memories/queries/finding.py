"""Three ways to look for something in the list: by meaning, by exact word, as plain text."""

from collections.abc import Collection, Sequence

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db import connection, models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Concat, Lower, Replace
from django.utils.translation import gettext_lazy as _

from memories.models.memory import MemoryQuerySet
from memories.queries.words import CONFIGS
from memories.rules.languages import language_of

_STEMS = ("brain_en", "brain_pt", "brain_exact")
# In the order in which the reason for a hit is told.
FIELDS = ("content", "path", "source", "rationale")

_ALIKE = """
    select distinct word
    from unnest(%(words)s::text[]) as word, unnest(%(configs)s::regconfig[]) as config
    where tsvector_to_array(to_tsvector(config, word))
        && tsvector_to_array(to_tsvector(config, %(query)s))
"""


class Mode(models.TextChoices):
    MEANING = "meaning", _("Meaning")
    WORD = "word", _("Exact words")
    TEXT = "text", _("Plain text")


class _Unaccent(Func):
    function = "unaccent"
    arity = 1
    output_field = models.TextField()


def with_exact_words(memories: MemoryQuerySet, query: str) -> MemoryQuerySet:
    """Keep what has every word as it is written, whatever case and accents.

    Words in quotation marks have to stand together, `or` and `-` work as on the web.
    """
    exact = SearchQuery(query, config="brain_exact", search_type="websearch")
    # The index knows a word by its stems too, so what it brings is read once more.
    as_written = SearchVector(
        Replace("path", Value("."), Value(" ")), "content", config="brain_exact"
    )
    return memories.filter(words=exact).alias(as_written=as_written).filter(as_written=exact)


def with_words(memories: MemoryQuerySet, query: str) -> MemoryQuerySet:
    """Keep what has every word of the query in some form of either language."""
    forms = Q()
    for config in _STEMS:
        forms |= Q(words=SearchQuery(query, config=config, search_type="plain"))
    return memories.filter(forms)


def with_text(memories: MemoryQuerySet, query: str) -> MemoryQuerySet:
    """Keep what has the query in its text, path, source or rationale, as a row of letters."""
    parts = [part for field in FIELDS for part in (F(field), Value("\n"))]
    plain = _Unaccent(Lower(Concat(*parts, output_field=models.TextField())))
    wanted = _Unaccent(Lower(Value(query)))
    return memories.alias(plain=plain).filter(plain__contains=wanted)


def words_found(query: str, words: Sequence[str], *, exactly: bool) -> Collection[str]:
    """Return those of `words` that are words of the query: as written, or in another form."""
    configs = ["exact"] if exactly else [c for c in CONFIGS[language_of(query)] if c != "exact"]
    values = {"query": query, "words": words, "configs": [f"brain_{each}" for each in configs]}
    with connection.cursor() as cursor:
        cursor.execute(_ALIKE, values)  # type: ignore[arg-type]
        return {word for (word,) in cursor.fetchall()}
