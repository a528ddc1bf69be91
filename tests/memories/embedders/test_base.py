"""Keys tell vectors apart; vectors come out at length one or not at all."""

import numpy as np
import pytest

from memories.embedders.base import ModelCard, Prefixes
from memories.embedders.errors import BadVectorError
from memories.embedders.prepared import clean, unit

CARD = ModelCard("model", "1", 384, 8000, Prefixes("passage: ", "query: ", "query: "))


@pytest.mark.parametrize(
    "other",
    [
        ModelCard("other", "1", 384, 8000, CARD.prefixes),
        ModelCard("model", "2", 384, 8000, CARD.prefixes),
        ModelCard("model", "1", 512, 8000, CARD.prefixes),
        ModelCard("model", "1", 384, 4000, CARD.prefixes),
        ModelCard("model", "1", 384, 8000, Prefixes("", "query: ", "query: ")),
    ],
)
def test_whatever_changes_the_vectors_changes_their_key(other: ModelCard) -> None:
    assert other.key != CARD.key


def test_another_prefix_for_questions_leaves_the_stored_vectors_valid() -> None:
    other = ModelCard("model", "1", 384, 8000, Prefixes("passage: ", "ask: ", "query: "))

    assert other.key == CARD.key


def test_pairs_have_a_key_of_their_own_only_where_they_have_vectors_of_their_own() -> None:
    plain = ModelCard("model", "1", 384, 8000)

    assert CARD.pair_key != CARD.key
    assert plain.pair_key == plain.key


def test_a_lone_surrogate_is_replaced_and_everything_else_is_kept() -> None:
    assert clean("a\ud83d b\udc00") == "a\ufffd b\ufffd"
    assert clean("é 😀 \x00 \u202e") == "é 😀 \x00 \u202e"


def test_vectors_come_out_at_length_one() -> None:
    rows = unit(np.array([[3, 4], [0, 2]], np.float32), shape=(2, 2))

    assert rows.tolist() == [[np.float32(0.6), np.float32(0.8)], [0, 1]]
    assert rows.dtype == np.float32


@pytest.mark.parametrize(
    "rows", [[[0.0, 0.0]], [[float("nan"), 1.0]], [[float("inf"), 1.0]], [[1.0]], [1.0, 2.0]]
)
def test_what_points_nowhere_or_has_another_size_is_refused(rows: list[object]) -> None:
    with pytest.raises(BadVectorError):
        unit(np.array(rows, np.float32), shape=(1, 2))
