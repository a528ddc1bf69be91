"""What a reader cannot see is found in every text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.display import pieces

UNSEEN = [
    "\u202e",
    "\u2066",
    "\u200b",
    "\u200e",
    "\ufeff",
    "\x07",
    "\x9b",
    "\u2028",
    "\U000e0041",
    "\u3164",
]


@pytest.mark.parametrize("char", UNSEEN)
def test_what_nobody_sees_is_a_piece_of_its_own(char: str) -> None:
    assert list(pieces(f"pay{char}pal")) == [("pay", False), (char, True), ("pal", False)]


@pytest.mark.parametrize(
    "text", ["two\nlines\tand a tab\r\n", "👩\u200d💻", "क\u094d\u200dष", "Olá ²", ""]
)
def test_ordinary_text_is_one_piece(text: str) -> None:
    assert list(pieces(text)) == ([(text, False)] if text else [])


@given(st.text())
def test_the_pieces_are_the_text(text: str) -> None:
    assert "".join(piece for piece, _is_unseen in pieces(text)) == text
