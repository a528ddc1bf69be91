"""A script with a key of the space."""

from collections.abc import Callable

import pytest
from django.test import Client

from spaces.models import Space
from tests.mcp_gateway.clients import key_of

Script = Callable[..., Client]


@pytest.fixture
def script() -> Script:
    """Return what makes an HTTP client that sends a key of the space; of all scopes, or these."""

    def with_key(space: Space, *scopes: str) -> Client:
        return Client(headers={"authorization": f"Bearer {key_of(space, *scopes)}"})

    return with_key
