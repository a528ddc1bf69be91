"""What may differ in wording without anybody being asked."""

import pytest

from memories.rules.comparison.comparing import compare
from memories.rules.comparison.verdicts import Relation, Statement


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The session timeout is thirty minutes.", "Session timeout is 30 min"),
        ("We deploy on Fridays after the tests.", "On Fridays after the tests, we deploy."),
        ("Use PostgreSQL for all data.", "We decided to use Postgres for all data."),
        ("Decision: keep the monorepo.", "Keep the monorepo!"),
        ("Don't commit to main.", "Do not commit to main."),
        ("It's fine to use emojis.", "It is fine to use emojis."),
        ("The agent won't ask.", "The agent will not ask."),
        ("We can\u2019t use GPL code.", "We cannot use GPL code."),
        ("The launch is on May 4, 2026.", "The launch is on 2026-05-04."),
        ("Backups run at 3 am.", "Backups run at 03:00."),
        ("The upload limit is 1,000 MB.", "The upload limit is 1000 megabytes."),
        ("Colour tokens live in tokens.css.", "Color tokens live in `tokens.css`."),
        ("O prazo é de trinta dias.", "O prazo é de 30 dias"),
        ("Nas sextas publicamos a versão nova.", "Publicamos a versão nova nas sextas."),
        ("Só administradores podem apagar.", "Somente administradores podem apagar."),
    ],
)
def test_the_same_words_refresh_the_first(first: str, second: str) -> None:
    found = compare(Statement(first), Statement(second))

    assert found.relation is Relation.SAME
    assert found.is_certain


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We deploy on Friday.", "We deploy on Fridays."),
        ("The service was moved.", "The service is moved."),
        ("Plan A is chosen.", "Plan is chosen."),
        ("The power is 5 Mx.", "The power is 5 mx."),
        ("Say it loud.", "It: say loud."),
        ("For A use B for C.", "For C use B for A."),
        ("O servidor fica no Rio.", "The server is in Rio."),
        ("", "   "),
        ("Decision:", "Note:"),
    ],
)
def test_anything_else_is_never_certain(first: str, second: str) -> None:
    found = compare(Statement(first), Statement(second), cosine=0.99)

    assert found.is_certain == (not first)


def test_other_places_and_other_kinds_are_never_certain() -> None:
    first = Statement("The limit is thirty days.", "decision", "Shop.Returns")
    there = Statement("The limit is 30 days.", "decision", "Bank.Returns")
    seen = Statement("The limit is 30 days.", "observation", "Shop.Returns")

    assert not compare(first, there).is_certain
    assert not compare(first, seen).is_certain
