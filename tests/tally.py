"""Counts what attack and failure tests tried, and prints it at the end of a run."""

from collections import Counter
from typing import Any

import pytest

ATTACKS = "attack cases"
_ORDER = (ATTACKS, "fault runs", "acknowledged writes", "lost writes")


class Tally:
    """What one test tried; a test that says nothing tried one thing."""

    def __init__(self, unit: str) -> None:
        self.counts: Counter[str] = Counter()
        self._unit = unit

    def add(self, number: int = 1, unit: str = "") -> None:
        self.counts[unit or self._unit] += number

    def properties(self) -> list[tuple[str, object]]:
        """Return the counts as pytest hands them from its workers to the one who prints."""
        return list((self.counts or Counter({self._unit: 1})).items())


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print one line with all counts, when there are any."""
    totals: Counter[str] = Counter()
    for report in terminalreporter.getreports(""):
        if report.when == "teardown":
            totals.update({name: n for name, n in report.user_properties if name in _ORDER})
    if totals:
        counted = ", ".join(f"{totals[name]:,} {name}" for name in _ORDER if name in totals)
        terminalreporter.write_line(f"Tried: {counted}.")


def counted(request: pytest.FixtureRequest, unit: str) -> Tally:
    """Return a tally whose counts go with the reports of the test."""
    tally = Tally(unit)
    request.addfinalizer(lambda: request.node.user_properties.extend(tally.properties()))
    return tally
