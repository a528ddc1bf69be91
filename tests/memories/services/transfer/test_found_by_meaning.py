"""What came in by a file is found by meaning, like what was saved."""

import pytest
from pytest_django import Settings

from memories.embedders.providers import E5, USE, absent
from memories.queries.search import search
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.meaning import embed_all
from tests.memories.services.transfer.files import exported, imported

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        bool(absent(E5) or absent(USE)), reason="no wheels of the built-in models here"
    ),
]


def test_a_paraphrase_finds_what_was_imported(space: Space, settings: Settings) -> None:
    settings.EMBEDDER = "auto"
    other = make_space()
    for text in (
        "The invoices are sent to customers on the first of each month.",
        "Ana leads the team that looks after the warehouse robots.",
        "Lunch is delivered by a small restaurant around the corner.",
    ):
        make_memory(other, text)
    imported(space, exported(other))

    embed_all(space)

    found = search(space=space, query="when do clients get their bills?")
    assert found.hits[0].memory.content.startswith("The invoices")
    assert found.by_meaning
