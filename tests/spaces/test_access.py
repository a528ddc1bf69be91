"""Who may use a space."""

from uuid import uuid4

import pytest

from accounts.actors import Actor
from brain.lib.errors import NotFoundError
from spaces.access import own_space, owned_space, readable_space, writable_space
from spaces.models import Space
from tests.factories import make_actor

DOORS = [readable_space, writable_space, owned_space]


@pytest.mark.parametrize("door", DOORS)
def test_the_owner_gets_the_space(door: type, space: Space, actor: Actor) -> None:
    assert door(space.pk, actor) == space


@pytest.mark.parametrize("door", DOORS)
def test_a_stranger_hears_the_same_as_for_a_space_that_never_was(
    door: type, space: Space, db: None
) -> None:
    stranger = make_actor()

    refusals = []
    for space_id in (space.pk, uuid4()):
        with pytest.raises(NotFoundError) as refusal:
            door(space_id, stranger)
        refusals.append(refusal.value.sentence)

    assert refusals[0] == refusals[1]


def test_a_closed_account_has_no_spaces(space: Space) -> None:
    space.owner.is_active = False

    with pytest.raises(NotFoundError):
        own_space(space.pk, space.owner)
