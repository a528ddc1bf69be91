"""A server that takes client ID metadata documents."""

import pytest
from pytest_django import Settings

from tests.mcp_gateway.oauth.known_clients import PublishedDocuments


@pytest.fixture
def client_documents(settings: Settings) -> None:
    """Offer client ID metadata documents, as a public deployment does."""
    settings.OAUTH2_PROVIDER = {
        **settings.OAUTH2_PROVIDER,
        "CIMD_ENABLED": True,
        "CIMD_METADATA_FETCHER": PublishedDocuments,
    }
