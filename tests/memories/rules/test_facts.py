"""When two texts state the same fact, and when they never do."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.facts import fact_key, normalised, sha256

SAME = [
    ("We deploy on Fridays.", "we deploy on fridays"),
    ("We deploy on Fridays", "WE DEPLOY ON FRIDAYS!"),
    ("We deploy on Fridays.", "We  deploy\non\tFridays ."),
    ("We deploy on Fridays.", "  We deploy on Fridays…  "),
    ("We deploy on Fridays.", "We deploy on Fri\u00addays."),
    ("We deploy on Fridays.", "\ufeffWe deploy\u200b on Fridays."),
    ("A decis\u00e3o vale", "A decisa\u0303o vale."),
    ("A reuni\u00e3o \u00e9 \u00e0s ter\u00e7as", "a REUNI\u00c3O \u00c9 \u00c0S TER\u00c7AS;"),
    ("The limit is 10 MB.", "the LIMIT is 10 MB"),
]
DIFFERENT = [
    ("The limit is 10 per day.", "The limit is 100 per day."),
    ("The release is on 2026-05-04.", "The release is on 2026-04-05."),
    ("Use version 1.2 of the client.", "Use version 1.20 of the client."),
    ("Ana decides about the budget.", "Anna decides about the budget."),
    ("Deploy on Fridays.", "Do not deploy on Fridays."),
    ("Deploy on Fridays.", "Never deploy on Fridays."),
    ("Keep at least three backups.", "Keep at most three backups."),
    ("Keep three backups.", "Keep at least three backups."),
    ("The plant gives 10 MW.", "The plant gives 10 mW."),
    ("The link has 5 MB per second.", "The link has 5 Mb per second."),
    ("The area is 10\u00b2 metres.", "The area is 102 metres."),
    ("Is the server in Lisbon?", "Is the server in Lisbon"),
    ("The offset is -5 hours.", "The offset is 5 hours."),
    ("N\u00e3o usar tabs nos ficheiros", "Usar tabs nos ficheiros"),
    ("O carro est\u00e1 na garagem", "O carro esta na garagem"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_what_cannot_change_the_meaning_is_ignored(first: str, second: str) -> None:
    assert fact_key(first) == fact_key(second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_a_changed_number_name_unit_negation_or_quantifier_is_another_fact(
    first: str, second: str
) -> None:
    assert fact_key(first) != fact_key(second)


def test_the_hash_is_over_the_bytes_as_they_are_stored() -> None:
    assert sha256("é") == "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"
    assert sha256("é") != sha256("e\u0301")


@given(st.text())
def test_the_form_in_which_facts_are_compared_is_stable(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


@given(st.text())
def test_the_unicode_form_makes_no_difference(text: str) -> None:
    assert fact_key(unicodedata.normalize("NFD", text)) == fact_key(text)


@given(st.text(), st.sampled_from([" ", "  ", "\n", "\t", "."]))
def test_nothing_that_is_added_at_the_end_makes_another_fact(text: str, end: str) -> None:
    assert fact_key(text + end) == fact_key(text)


@given(st.integers(), st.integers())
def test_two_numbers_are_never_the_same_fact(first: int, second: int) -> None:
    same = fact_key(f"The port is {first} here") == fact_key(f"The port is {second} here")

    assert same == (first == second)
