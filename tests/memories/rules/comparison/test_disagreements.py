"""When two rules seem to contradict each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.comparison.comparing import compare
from memories.rules.comparison.verdicts import Relation, Statement

AGAINST = [
    ("The session timeout is 30 minutes.", "The session timeout is 60 minutes."),
    ("Deploy on Fridays after the tests.", "Never deploy on Fridays after the tests."),
    ("Use tabs in the Go files.", "Don't use tabs in the Go files."),
    ("Use tabs in the Go files.", "Don\u2019t use tabs in the Go files."),
    ("O prazo da entrega é de 10 dias.", "O prazo da entrega é de 15 dias."),
    ("Publicar às sextas depois dos testes.", "Não publicar às sextas depois dos testes."),
    ("Answers are written in English.", "Answers are not written in English."),
    ("The release is on 2026-05-04.", "The release is on 2026-06-04."),
    ("Backups run without compression at night.", "Backups run with compression at night."),
]
NOT_AGAINST = [
    ("Deploy on Fridays after the tests.", "Deploy on Fridays, after the tests"),
    ("The session timeout is 30 minutes.", "The port of the database is 5432."),
    ("Use tabs in the Go files.", "Never publish a draft of the report."),
    ("We use PostgreSQL for all data.", "We use PostgreSQL for all data of the shop."),
    ("", ""),
    ("The session timeout is 30 minutes.", "The session timeout page is in the wiki."),
    ("The limit is 30 per day.", "The limit is 30 per day since 2024."),
    ("Use PostgreSQL for the data of the shop.", "Never use MySQL for reports of the shop."),
]


def disagree(first: str, second: str, kinds: tuple[str, str] = ("decision", "decision")) -> bool:
    one, two = (
        Statement(text, kind=kind) for text, kind in zip((first, second), kinds, strict=True)
    )
    return compare(one, two).relation is Relation.CONFLICT


def shared(first: str, second: str) -> float:
    return compare(Statement(first), Statement(second)).shared


@pytest.mark.parametrize(("first", "second"), AGAINST)
def test_a_changed_number_or_a_negation_in_the_same_words_is_a_disagreement(
    first: str, second: str
) -> None:
    assert disagree(first, second)


@pytest.mark.parametrize(("first", "second"), NOT_AGAINST)
def test_other_subjects_and_repeats_do_not_disagree(first: str, second: str) -> None:
    assert not disagree(first, second)


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("decision", "preference"), True),
        (("preference", "preference"), True),
        (("decision", "observation"), False),
        (("observation", "observation"), False),
        (("pointer", "decision"), False),
        (("checkpoint", "checkpoint"), False),
    ],
)
def test_only_decisions_and_preferences_disagree(kinds: tuple[str, str], expected: bool) -> None:  # noqa: FBT001
    first, second = AGAINST[0]

    assert disagree(first, second, kinds=kinds) == expected


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_does_not_matter_which_is_named_first(first: str, second: str) -> None:
    forth = disagree(first, second)
    back = disagree(second, first)

    assert forth == back


@given(st.text(max_size=200))
def test_nothing_disagrees_with_itself(text: str) -> None:
    assert not disagree(text, text)


def test_the_share_of_words_is_that_of_the_shorter_text() -> None:
    short, long = "The session timeout", "The session timeout of the shop is short on weekends."

    assert shared(short, long) == shared(long, short) == 1
    assert shared(short, "The session cookie") == 0.5
    assert shared(short, "Bread") == 0
