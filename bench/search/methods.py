"""The ways of searching that are compared, each as a function from a question to an order."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bm25s
import Stemmer
from django.utils import timezone

from accounts.models import User
from bench.search.sets import Corpus
from memories.models import Author, Kind, Memory
from memories.queries.candidates import candidates
from memories.queries.meaning import question_of
from memories.queries.search import in_order, search
from memories.queries.words import Filters
from memories.services.embedding import embed_missing, vectorisers
from memories.services.versions import derive
from spaces.isolation import inside
from spaces.models import Space

Order = Callable[[str], Sequence[int]]
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Methods:
    orders: dict[str, Order]
    is_close: Callable[[str], bool]


def methods_of(corpus: Corpus) -> Methods:
    """Put the corpus into a space of its own and return the ways to search it."""
    space = _filled(corpus)
    places = {content: place for place, content in enumerate(corpus.texts)}
    with inside(space):
        by_id = {memory.pk: places[memory.content] for memory in Memory.objects.filter(space=space)}

    def words(question: str) -> list[int]:
        with inside(space):
            order = in_order(space, question, now=timezone.now(), filters=Filters(), question=None)
        return [by_id[each.candidate.memory_id] for each in order]

    def meaning(question: str) -> list[int]:
        read = question_of(question, by_both=False)
        with inside(space):
            found = candidates(
                space, question, now=timezone.now(), filters=Filters(), question=read
            )
        best = sorted(found, key=lambda each: -(each.cosine or 0))
        return [by_id[each.memory_id] for each in best]

    def fused(question: str) -> list[int]:
        found = search(space=space, query=question, limit=20)
        return [by_id[hit.memory.pk] for hit in found.hits]

    def is_close(question: str) -> bool:
        return search(space=space, query=question).is_close

    orders = {
        "library BM25": _library(corpus),
        "words": words,
        "meaning": meaning,
        "fused": fused,
    }
    return Methods(orders, is_close)


def _library(corpus: Corpus) -> Order:
    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25()
    index.index(tokens(corpus.texts), show_progress=False)
    depth = min(20, len(corpus.texts))

    def order(question: str) -> list[int]:
        found, _ = index.retrieve(tokens([question]), k=depth, show_progress=False)
        return [int(place) for place in found[0]]

    return order


def _filled(corpus: Corpus) -> Space:
    number = next(_numbers)
    owner = User.objects.create_user(f"bench{number}@example.org")
    space = Space.objects.create(
        owner=owner, name=f"{corpus.name} {number}", language=corpus.language
    )
    rows = [
        Memory(space=space, kind=Kind.POINTER, path="Bench", content=text, author=Author.AGENT)
        for text in dict.fromkeys(corpus.texts)
    ]
    for row in rows:
        derive(row)
    with inside(space):
        Memory.objects.bulk_create(rows, ignore_conflicts=True)
    for vectoriser in vectorisers():
        while embed_missing(space, vectoriser, at_most=256).has_more:
            continue
    return space
