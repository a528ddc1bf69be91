"""The difference between any two versions of a memory."""

import pytest

from accounts.actors import Actor
from memories.models import Memory, MemoryVersion
from memories.queries.changes import Comparison, comparison
from memories.services.affirming import erase_version
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory


def with_three_versions(space: Space, agent: Actor) -> Memory:
    memory = make_memory(space, "We deploy on Fridays at noon.", path="Site", source="Ana")
    for change in (
        Revision(content="We deploy on Mondays at noon."),
        Revision(path="Site.Deploy", kind="preference", source="Ana, by mail"),
    ):
        revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    memory.refresh_from_db()
    return memory


def compared(memory: Memory, before: int = 0, after: int = 0) -> Comparison:
    with inside(memory.space):
        found = comparison(memory, known=[], before=before, after=after)
    assert found is not None
    return found


def told(found: Comparison) -> dict[str, tuple[str, str]]:
    """Return what each field that changed had and has, with brackets around what differs."""
    return {
        field.name: tuple(  # type: ignore[misc]
            "".join(f"[{piece.text}]" if piece.differs else piece.text for piece in pieces)
            for pieces in (field.before, field.after)
        )
        for field in found.changed
    }


@pytest.fixture
def memory(space: Space, agent: Actor) -> Memory:
    with inside(space):
        return with_three_versions(space, agent)


def test_the_words_that_differ_are_marked(memory: Memory) -> None:
    found = compared(memory, 1, 2)

    assert told(found) == {
        "content": ("We deploy on [Fridays] at noon.", "We deploy on [Mondays] at noon.")
    }


def test_every_field_that_changed_is_told(memory: Memory) -> None:
    found = compared(memory, 1, 3)

    assert set(told(found)) == {"content", "kind", "path", "source"}
    assert told(found)["kind"] == ("[Decision]", "[Preference]")
    assert told(found)["source"] == ("Ana", "Ana[, by mail]")


def test_any_two_are_compared_in_the_order_that_was_asked(memory: Memory) -> None:
    found = compared(memory, 3, 1)

    assert (found.before.number, found.after.number) == (3, 1)


@pytest.mark.parametrize(("before", "after"), [(0, 0), (9, 9), (2, 0), (-1, 99)])
def test_without_a_sensible_choice_it_is_the_latest_change(
    memory: Memory, before: int, after: int
) -> None:
    found = compared(memory, before, after)

    assert (found.before.number, found.after.number) == (2, 3)


def test_one_version_is_not_compared_with_itself(space: Space) -> None:
    memory = make_memory(space)

    with inside(space):
        assert comparison(memory, known=[], before=1, after=1) is None


def test_of_an_erased_text_nothing_is_told(memory: Memory, person: Actor) -> None:
    erase_version(space=memory.space, actor=person, memory_id=memory.pk, number=1)

    found = compared(memory, 1, 3)

    assert found.is_erased
    assert list(found.fields) == []


def test_versions_that_are_known_are_not_read_again(memory: Memory) -> None:
    with inside(memory.space):
        known = list(MemoryVersion.objects.of(memory))
        MemoryVersion.objects.of(memory).update(content="Something else entirely.")
        found = comparison(memory, known=known, before=1, after=2)

    assert found is not None
    assert found.before.content == "We deploy on Fridays at noon."
