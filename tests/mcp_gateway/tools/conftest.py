"""A space for the tools to work in."""

import pytest

from spaces.models import Space
from tests.factories import make_space


@pytest.fixture
def space(transactional_db: None) -> Space:
    # Tools run in threads of their own, on other connections.
    return make_space()
