"""Somebody who is signed in and has nothing to do with the space."""

import pytest
from django.test import Client

from tests.factories import make_user


@pytest.fixture
def stranger(db: None) -> Client:
    client = Client()
    client.force_login(make_user())
    return client
