"""The built-in models, loaded once for all tests, and a server that plays an endpoint."""

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from memories.embedders import registry
from memories.embedders.base import Embedder
from memories.embedders.options import Options
from memories.embedders.providers import absent, load
from tests.memories.embedders.endpoint import PlayedEndpoint


def _loaded(name: str) -> Embedder:
    if sentence := absent(name):
        pytest.skip(sentence)
    return load(name, Options())


@pytest.fixture(scope="session")
def e5() -> Embedder:
    return _loaded("builtin-e5")


@pytest.fixture(scope="session")
def use() -> Embedder:
    return _loaded("builtin-use")


@pytest.fixture(params=["builtin-e5", "builtin-use"])
def builtin(request: pytest.FixtureRequest) -> Embedder:
    """Return each of the models that work without a network."""
    embedder: Embedder = request.getfixturevalue(
        {"builtin-e5": "e5", "builtin-use": "use"}[request.param]
    )
    return embedder


@pytest.fixture
def endpoint() -> Iterator[PlayedEndpoint]:
    with PlayedEndpoint() as played:
        yield played


@pytest.fixture(autouse=True)
def _nothing_loaded(settings: Settings) -> Iterator[None]:
    settings.EMBEDDER = "auto"
    registry.forget_loaded()
    yield
    registry.forget_loaded()
