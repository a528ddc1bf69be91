"""Who acts in the space: the person it belongs to, and an agent that is connected to it."""

import pytest

from accounts.actors import Actor
from spaces.models import Space
from tests.factories import agent_of, make_actor


@pytest.fixture
def person(space: Space) -> Actor:
    return make_actor(space.owner)


@pytest.fixture
def agent(space: Space) -> Actor:
    return agent_of(space)
