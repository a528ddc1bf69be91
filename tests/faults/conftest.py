"""Real processes that are killed, starved and cut off; each test is one or more such runs."""

import pytest

from tests.tally import Tally, counted


@pytest.fixture(autouse=True)
def runs(request: pytest.FixtureRequest) -> Tally:
    """Return the tally of fault runs, of acknowledged writes, and of those that were lost."""
    return counted(request, "fault runs")
