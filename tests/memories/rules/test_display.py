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


def test_a_flag_is_one_piece_and_tags_elsewhere_are_not() -> None:
    tags = "".join(chr(0xE0000 + ord(char)) for char in "gbsct") + "\U000e007f"

    assert list(pieces(f"\U0001f3f4{tags}")) == [(f"\U0001f3f4{tags}", False)]
    assert all(is_unseen for _, is_unseen in pieces(tags))


def test_a_message_in_variation_selectors_is_seen_and_one_that_varies_is_not() -> None:
    assert list(pieces("\u2764\ufe0f\U000e0101")) == [("\u2764\ufe0f", False), ("\U000e0101", True)]


@given(st.text())
def test_the_pieces_are_the_text(text: str) -> None:
    assert "".join(piece for piece, _is_unseen in pieces(text)) == text
