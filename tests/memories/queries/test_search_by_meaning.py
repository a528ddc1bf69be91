"""Search by meaning, with the real models that work offline."""

import pytest
from pytest_django.fixtures import Settings

from memories.embedders.providers import E5, USE, absent
from memories.queries.search import search
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space
from tests.memories.meaning import embed_all

pytestmark = pytest.mark.skipif(
    bool(absent(E5) or absent(USE)), reason="no wheels of the built-in models here"
)

FACTS = [
    "The invoices are sent to customers on the first of each month.",
    "Ana leads the team that looks after the warehouse robots.",
    "The staging server is in Frankfurt and has 8 GB of memory.",
    "Lunch is delivered by a small restaurant around the corner.",
    "Tests run on every push and take about ten minutes.",
]


@pytest.fixture
def space(db: None, settings: Settings) -> Space:
    settings.EMBEDDER = "auto"
    space = make_space()
    for fact in FACTS:
        make_memory(space, fact)
    embed_all(space)
    return space


def contents(space: Space, query: str, **more: object) -> list[str]:
    found = search(space=space, query=query, **more)  # type: ignore[arg-type]
    return [hit.memory.content for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("when do clients get their bills?", 0),
        ("who is responsible for the machines in the depot?", 1),
        ("where does the test environment live?", 2),
        ("what do we eat at noon?", 3),
        ("how long does continuous integration need?", 4),
        ("quem cuida dos robôs do armazém?", 1),
    ],
)
def test_a_paraphrase_finds_what_shares_hardly_a_word(space: Space, query: str, place: int) -> None:
    assert FACTS[place] in contents(space, query)[:2]


def test_the_answer_says_that_meaning_was_on_and_what_matched(space: Space) -> None:
    found = search(space=space, query="when do clients get their bills?")

    assert found.by_meaning
    assert found.hits[0].why in {"meaning", "both"}
    assert 0 < found.hits[0].score <= 1


def test_far_questions_are_told_that_nothing_is_close(space: Space) -> None:
    found = search(space=space, query="What is the boiling point of tungsten on Mars?")

    assert not found.is_close


def test_a_replaced_text_is_not_found_by_its_meaning(space: Space) -> None:
    memory = make_memory(space, "Our mascot is a purple octopus called Otto.")
    embed_all(space)
    revise_memory(
        space=space,
        actor=agent_of(space),
        memory_id=memory.pk,
        revision=Revision(content="Parking is free after eight in the evening."),
    )

    before = contents(space, "which animal is our symbol? purple octopus Otto", limit=20)
    embed_all(space)
    after = contents(space, "which animal is our symbol? purple octopus Otto", limit=20)

    for texts in (before, after):
        assert not [text for text in texts if "octopus" in text]


def test_a_forgotten_memory_is_not_found_by_its_meaning(space: Space) -> None:
    memory = make_memory(space, "Our mascot is a purple octopus called Otto.")
    embed_all(space)
    forget_memory(space=space, actor=agent_of(space), memory_id=memory.pk)

    assert not [
        text for text in contents(space, "the team's animal symbol", limit=20) if "Otto" in text
    ]


def test_a_memory_without_a_vector_is_found_by_its_words_at_once(space: Space) -> None:
    make_memory(space, "The zephyr module parses old archives.")

    assert contents(space, "zephyr")[0] == "The zephyr module parses old archives."


def test_filters_are_applied_before_the_nearest_are_chosen(space: Space) -> None:
    make_memory(space, "Bills for partners go out every Friday.", path="Partners.Money")
    embed_all(space)

    found = contents(space, "when do clients get their bills?", path_filter="Partners")

    assert found == ["Bills for partners go out every Friday."]


def test_another_space_is_never_searched(space: Space) -> None:
    other = make_space()
    make_memory(other, "Clients get their bills by pigeon.")
    embed_all(other)

    assert not [
        text for text in contents(space, "clients bills pigeon", limit=20) if "pigeon" in text
    ]


def test_without_a_model_the_words_answer_alone_and_the_answer_says_so(
    space: Space, settings: Settings
) -> None:
    settings.EMBEDDER = "none"

    found = search(space=space, query="invoices customers")

    assert not found.by_meaning
    assert found.hits[0].memory.content == FACTS[0]


@pytest.mark.parametrize(
    "query", ["C++", "rm -rf /", "\x00", "🦑🦑", "' or 1=1 --", "a" * 2000, "\ud800", "؟", "()[]{}"]
)
def test_any_text_is_a_query(space: Space, query: str) -> None:
    search(space=space, query=query)
