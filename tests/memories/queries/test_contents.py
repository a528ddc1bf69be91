"""What the home page says of a space."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.actors import Actor
from memories.queries import sizes
from memories.queries.contents import contents
from memories.queries.sizes import space_size
from memories.services.forgetting import forget_memory
from spaces.isolation import inside
from spaces.models import Space
from spaces.queries import space_cards
from tests.factories import make_memory, make_space

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_an_empty_space_has_nothing_in_it(space: Space) -> None:
    assert not any(contents(space).by_state.values())
    assert contents(space).last_activity_at is None


def test_memories_are_counted_as_they_stand_now(space: Space, person: Actor) -> None:
    with time_machine.travel(TODAY, tick=False):
        make_memory(space, "Oysters are sold out this week.", kind="observation")
        make_memory(space, "Oysters are sold on Friday.")
    with time_machine.travel(TODAY + timedelta(days=40), tick=False):
        forgotten = make_memory(space, "Oysters come from the north.")
        forget_memory(space=space, actor=person, memory_id=forgotten.pk)
        make_memory(space, "Oysters come from the north.")

        found = contents(space)

    assert found.by_state == {
        "active": 1,
        "expired": 1,
        "held": 1,
        "forgotten": 1,
        "superseded": 0,
    }
    assert found.last_activity_at == TODAY + timedelta(days=40)


def test_the_home_page_counts_each_space_by_itself(space: Space) -> None:
    other = make_space(owner=space.owner)
    make_memory(space)
    make_memory(other)
    make_memory(other, "Oysters are sold on Friday.")

    cards = {card.space: card.contents.active for card in space_cards(space.owner)}

    assert cards == {space: 1, other: 2}


def test_a_small_space_is_counted_each_time(space: Space) -> None:
    with inside(space):
        before = space_size(space)
    make_memory(space)

    with inside(space):
        assert (before, space_size(space)) == (0, 1)


def test_a_large_space_is_counted_once_a_minute(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "SMALL", 1)
    make_memory(space)
    with inside(space):
        before = space_size(space)
    make_memory(space, "Oysters are sold on Friday.")

    with inside(space):
        assert (before, space_size(space)) == (1, 1)
