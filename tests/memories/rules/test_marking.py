"""Which part of a text answers a search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.marking import (
    SEGMENT,
    has_match,
    passages_marked,
    shortened,
    words_marked,
    words_of,
)


def told(text: str, wanted: str) -> str:
    """Return the text with brackets around what is marked."""
    return "".join(
        f"[{piece.text}]" if piece.is_match else piece.text
        for piece in passages_marked(text, wanted)
    )


@pytest.mark.parametrize(
    ("text", "wanted", "said"),
    [
        ("The café opens", "CAFE", "The [café] opens"),
        ("The cafe\u0301 opens", "fé o", "The ca[fe\u0301 o]pens"),
        ("aaa", "aa", "[aa]a"),
        ("Straße", "strasse", "[Straße]"),
        ("nothing", "x", "nothing"),
        ("", "x", ""),
        ("text", "", "text"),
        ("text", "\u0301", "text"),
    ],
)
def test_a_passage_is_found_whatever_case_and_accents(text: str, wanted: str, said: str) -> None:
    assert told(text, wanted) == said


@given(st.text(), st.text())
def test_the_pieces_are_the_text(text: str, wanted: str) -> None:
    pieces = passages_marked(text, wanted)

    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)


@given(st.text(max_size=40), st.text(min_size=1, max_size=5), st.text(max_size=40))
def test_what_is_there_is_found(before: str, wanted: str, after: str) -> None:
    text = f"{before}{wanted}{after}"

    # What is nothing but accents, or joins with what stands before it, is no passage.
    if wanted.isascii() and text.isascii():
        assert has_match(passages_marked(text, wanted))


def test_only_whole_words_are_marked() -> None:
    pieces = words_marked(
        "We deploy; deployment of api.py at 5.2, said Ana\u2019s app.", {"deploy"}
    )

    assert [piece.text for piece in pieces if piece.is_match] == ["deploy"]
    assert "".join(piece.text for piece in pieces).endswith("app.")


def test_words_are_what_a_search_takes_for_one() -> None:
    assert words_of("C++ and api.py at 5.2, at v1.2.3.") == [
        "C++",
        "and",
        "api.py",
        "at",
        "5.2",
        "v1.2.3",
    ]
    assert words_of("Shop.Auth-Keys", SEGMENT) == ["Shop", "Auth-Keys"]


def shown(text: str, wanted: str, *, limit: int) -> str:
    return "".join(piece.text for piece in shortened(passages_marked(text, wanted), limit=limit))


def test_a_long_text_begins_before_its_first_match() -> None:
    text = "word " * 100 + "needle " + "word " * 100

    found, missed = shown(text, "needle", limit=200), shown(text, "other", limit=200)

    assert found.startswith("… word")
    assert "needle" in found
    assert found.endswith(" …")
    assert missed == f"{text[:200]} …"


@given(st.text(max_size=300), st.text(min_size=1, max_size=4), st.integers(80, 120))
def test_what_is_shown_is_never_long_and_has_the_match(text: str, wanted: str, limit: int) -> None:
    pieces = passages_marked(text, wanted)

    short = shortened(pieces, limit=limit)

    assert sum(len(piece.text) for piece in short) <= limit + len("…  …")
    assert has_match(short) == has_match(pieces)


def test_a_short_text_is_shown_whole() -> None:
    assert shown("A needle.", "needle", limit=100) == "A needle."
