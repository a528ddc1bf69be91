"""What the home page knows of a person's spaces."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import time_machine
from django.utils import timezone

from accounts.models import User
from memories.services.forgetting import forget_memory
from spaces.agents import Agent
from spaces.queries import Contents, SpaceCard, space_cards
from tests.factories import agent_of, make_memory, make_space

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_spaces_come_by_name_and_only_ones_own(user: User) -> None:
    for name in ("beta", "Alpha", "gamma"):
        make_space(owner=user, name=name)
    make_space(name="Somebody else's")

    assert [card.space.name for card in space_cards(user)] == ["Alpha", "beta", "gamma"]


def test_memories_are_counted_by_the_state_they_are_in_now(user: User) -> None:
    space, empty = make_space(owner=user, name="Full"), make_space(owner=user, name="Empty")
    make_memory(space, "The first fact that holds.")
    make_memory(space, "The second fact that holds.")
    make_memory(space, "Seen once, some time ago.", kind="observation")
    gone = make_memory(space, "This one was forgotten.")
    forget_memory(space=space, actor=agent_of(space), memory_id=gone.pk)

    with time_machine.travel(timezone.now() + timedelta(days=31), tick=False):
        cards = {card.space.name: card.contents for card in space_cards(user)}

    full = cards["Full"]
    assert (full.active, full.expired, full.waiting) == (2, 1, 0)
    assert (full.is_empty, cards[empty.name].is_empty) == (False, True)
    assert full.by_state["forgotten"] == 1
    assert full.last_activity_at is not None
    assert (cards[empty.name].active, cards[empty.name].last_activity_at) == (0, None)


def test_a_space_of_which_nothing_is_known_has_nothing() -> None:
    assert (Contents().active, Contents().expired, Contents().is_empty) == (0, 0, True)


NEW = Agent("Never came", is_key=False, may_write=True, connected_at=NOW, end_url="/")


def test_a_card_names_the_agent_that_came_last_and_those_that_fail(user: User) -> None:
    space = make_space(owner=user)
    first = replace(NEW, last_used_at=NOW - timedelta(days=1), last_error_at=NOW)
    second = replace(NEW, last_used_at=NOW, last_saved_at=NOW)

    card = SpaceCard(space, Contents(), [first, second, NEW])

    assert (card.latest, card.failing) == (second, [first])
    assert SpaceCard(space, Contents(), [NEW]).latest is None
