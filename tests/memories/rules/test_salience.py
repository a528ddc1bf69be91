"""Which words tell most."""

from hypothesis import given
from hypothesis import strategies as st

from memories.rules.salience import salient_words


def test_numbers_come_first_and_then_long_words() -> None:
    assert salient_words("We keep backups for 30 days in Frankfurt", 3) == [
        "30",
        "frankfurt",
        "backups",
    ]


@given(text=st.text(), limit=st.integers(0, 20))
def test_no_more_than_asked_for_and_none_twice(text: str, limit: int) -> None:
    words = salient_words(text, limit)

    assert len(words) <= limit
    assert len(set(words)) == len(words)
