"""The pairs go the product's own way: saved, refreshed or asked about."""

import pytest

from bench.review import Pair
from bench.saves import asked, named, outcomes, refreshed, report
from memories.rules.comparison.verdicts import Relation, Statement

PAIRS = [
    Pair(
        Statement("The session timeout is thirty minutes."),
        Statement("Session timeout is 30 min."),
        Relation.SAME,
    ),
    Pair(
        Statement("Keep the backups for 30 days."),
        Statement("Keep the backups for 90 days."),
        Relation.CONFLICT,
    ),
    Pair(
        Statement("Ana likes short answers in the morning."),
        Statement("The port of the database is 5432 here."),
        Relation.UNRELATED,
    ),
    Pair(Statement("Too short"), Statement("Too short."), Relation.SAME),
]


@pytest.mark.django_db
def test_what_becomes_of_a_pair_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    found = outcomes(PAIRS)

    report("Some pairs", found)

    assert len(found) == 3
    assert (refreshed(found).right, refreshed(found).answered, refreshed(found).wanted) == (1, 1, 1)
    assert (named(found).right, named(found).answered) == (1, 1)
    assert (asked(found, Relation.CONFLICT).right, asked(found, Relation.SAME).right) == (1, 1)
    assert "| conflict | 0 | 1 | 0 | 1 | 0 |" in capsys.readouterr().out
