"""Every test here is an attack, or a table of them, and counted as such."""

import pytest
from pytest_django import Settings

from tests.tally import ATTACKS, Tally, counted


@pytest.fixture(autouse=True)
def tried(request: pytest.FixtureRequest) -> Tally:
    """Return the tally of attack cases; a table adds one for each row."""
    return counted(request, ATTACKS)


@pytest.fixture
def unlimited(settings: Settings) -> None:
    """Lift the limits on calls, for tables of attacks that are longer than anybody's minute."""
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/minute")
    settings.OAUTH_REGISTRATION_LIMIT = "1000000/hour"
