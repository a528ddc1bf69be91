"""Words by which another spelling of a fact is looked up: every spelling has them."""

import re

import pytest

from bench.review import own_pairs
from memories.rules.comparison.anchors import AT_MOST, anchors
from memories.rules.comparison.comparing import compare
from memories.rules.comparison.wording import same_wording, wording_of

SPELLINGS = [
    ("The session timeout is thirty minutes.", "Session timeout is 30 min"),
    ("We can\u2019t use GPL code.", "We cannot use GPL code."),
    ("The app doesn't log queries.", "The app does not log queries."),
    ("The agent won't ask.", "The agent will not ask."),
    ("The upload limit is 1,000 MB.", "The upload limit is 1000 megabytes."),
    ("The upload limit is 1.000 MB.", "The upload limit is 1.000 megabytes."),
    ("Use PostgreSQL for all data.", "We decided to use Postgres for all data."),
    ("Nas sextas publicamos a versão nova.", "Publicamos a versão nova nas sextas."),
]


def has_all(anchored: str, other: str) -> bool:
    """Say whether every anchor of one text is in the other, in one of its spellings."""
    words = set(re.findall(r"[^\W\d_]+|\d+(?:\.\d+)*|\d+", other.lower()))
    words |= set(re.findall(r"\d+", other))
    return all(
        any(words.issuperset(spelling) for spelling in anchor.spellings)
        for anchor in anchors(anchored)
    )


@pytest.mark.parametrize(("first", "second"), SPELLINGS)
def test_each_spelling_has_the_anchors_of_the_other(first: str, second: str) -> None:
    assert same_wording(first, second)
    assert wording_of(first) == wording_of(second)
    assert has_all(first, second)
    assert has_all(second, first)


def test_the_pairs_that_are_certainly_the_same_are_all_found() -> None:
    certain = [pair for pair in own_pairs() if compare(pair.first, pair.second).is_certain]

    lost = [
        pair
        for pair in certain
        if not has_all(pair.first.text, pair.second.text)
        or not has_all(pair.second.text, pair.first.text)
    ]

    assert len(certain) >= 40
    assert not lost


def test_there_are_few_and_of_some_texts_none() -> None:
    long = " ".join(f"word{letter * 4}" for letter in "abcdefghijklm")

    assert len(anchors(long)) == AT_MOST
    assert anchors("北京の天気は良いです。") == ()
    assert anchors("") == ()


def test_large_numbers_are_anchors_however_they_are_written() -> None:
    assert anchors("It is 4121.") == anchors("It is 4,121.") == anchors("It is 4.121.")
    assert not anchors("It is 41.")


def test_only_letters_digits_and_full_stops_come_out() -> None:
    hostile = "It's ''; drop:* & (select) | 'x' ! <-> 1,000,000 \\ \"deploy\" naïve ação"

    for anchor in anchors(hostile):
        for spelling in anchor.spellings:
            assert all(re.fullmatch(r"[^\W_]+(?:\.[0-9]+)*", part) for part in spelling)
