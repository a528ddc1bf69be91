"""Which language a short text is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("When did we decide to move the office?", "en"),
        ("the database of the project", "en"),
        ("Quando decidimos mudar o escritório?", "pt"),
        ("preferência do usuário", "pt"),
        ("prazo de entrega", "pt"),
        ("PostgreSQL 18", ""),
        ("deploy", ""),
        ("", ""),
        ("¿?!", ""),
    ],
)
def test_the_language_is_told_by_small_words_and_accents(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert language_of(text) in {"en", "pt", ""}
