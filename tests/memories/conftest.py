"""Who acts in the space: the person it belongs to, and an agent that is connected to it."""

import pytest

from accounts.actors import Actor
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory, make_space
from tests.memories.services.transfer.files import exported


@pytest.fixture
def person(space: Space) -> Actor:
    return make_actor(space.owner)


@pytest.fixture
def agent(space: Space) -> Actor:
    return agent_of(space)


@pytest.fixture
def file() -> bytes:
    """Return the export of another space, which has one memory."""
    space = make_space()
    make_memory(space, "We deploy on Fridays at noon.")
    return exported(space)
