"""Which words of two texts differ, for a reader who compares them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.differences import differences


def marked(first: str, second: str) -> tuple[list[str], list[str]]:
    one, two = differences(first, second)
    return [piece.text for piece in one if piece.differs], [p.text for p in two if p.differs]


@pytest.mark.parametrize(
    ("first", "second", "left", "right"),
    [
        ("We deploy on Fridays.", "We deploy on Tuesdays.", ["Fridays"], ["Tuesdays"]),
        ("It runs 5.2 now", "It runs 5.3 now", ["5.2"], ["5.3"]),
        ("Tokens live 15 minutes", "Tokens live 60 minutes", ["15"], ["60"]),
        ("We deploy on Fridays", "We never deploy on Fridays", [], ["never"]),
        ("We don't", "We do", ["don't"], ["do"]),
        ("at 10:00 sharp", "at noon sharp", ["10:00"], ["noon"]),
        ("red green blue", "red blue", ["green"], []),
        ("one two three four", "one 2 3 four", ["two three"], ["2 3"]),
        ("WE DEPLOY", "we  deploy", [], []),
        ("Não publicamos", "Publicamos", ["Não"], []),
        ("", "all of it", [], ["all of it"]),
        ("the same", "the same", [], []),
        ("a.", "a!", ["."], ["!"]),
    ],
)
def test_only_the_words_that_the_other_has_not_are_marked(
    first: str, second: str, left: list[str], right: list[str]
) -> None:
    assert marked(first, second) == (left, right)


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_pieces_are_the_text_again(first: str, second: str) -> None:
    one, two = differences(first, second)

    assert "".join(piece.text for piece in one) == first
    assert "".join(piece.text for piece in two) == second
    assert all(piece.text for piece in [*one, *two])


@given(st.text(max_size=80))
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert marked(text, text) == ([], [])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a b " * 1000, "b a " * 1000),
        ("x" * 4000, "y" * 4000),
        ("! " * 2000, "? " * 2000),
        ("1.1" * 1300, "1-1" * 1300),
    ],
)
def test_long_hostile_texts_are_cut_too(first: str, second: str) -> None:
    one, _ = differences(first, second)

    assert "".join(piece.text for piece in one) == first


def test_words_of_very_long_texts_are_looked_up() -> None:
    first = "start " + " ".join(f"left{number}" for number in range(600)) + " shared"
    second = "start shared " + " ".join(f"right{number}" for number in range(600))

    left, right = marked(first, second)

    assert "shared" not in " ".join(left).split()
    assert "shared" not in " ".join(right).split()
