"""Thresholds of a model: what they keep, what they refuse, and what they are measured on."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.embedders.base import Embedder, ModelCard, Vectors
from memories.embedders.calibration import (
    Answers,
    Measured,
    Threshold,
    measure,
    setting,
    thresholds,
)
from memories.embedders.calibration_set import CalibrationSet, Statement, calibration_set
from memories.embedders.options import thresholds as read_thresholds
from memories.embedders.prepared import PreparedEmbedder, Purpose

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PAIRS = {"same": [0.9], "nearly": [0.97], "other": [0.5]}


class CountedLetters(PreparedEmbedder):
    """The smallest model there is: how often each letter occurs."""

    def __init__(self) -> None:
        super().__init__(ModelCard("letters", "1", len(LETTERS), 100))

    def _encode(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:  # noqa: ARG002
        return np.array([[text.count(letter) for letter in LETTERS] for text in texts], np.float32)


def answers(right: Sequence[float], far: Sequence[float] = (0.1,)) -> Answers:
    return Answers(len(right), np.array(right), np.array(far))


def measured(
    right: Sequence[float] = (0.8,),
    across: Sequence[float] = (0.7,),
    *,
    far: Sequence[float] = (0.1,),
    **pairs: Sequence[float],
) -> Measured:
    labelled = {label: np.array(row) for label, row in (PAIRS | pairs).items()}
    return Measured(answers(right, far), answers(across, far), labelled)


def by_name(found: Measured) -> dict[str, Threshold]:
    return {each.name: each for each in thresholds(found)}


def test_search_loses_one_answer_in_fifty_and_refuses_what_is_further_away() -> None:
    right = [0.3, 0.6004, *[0.9] * 48]

    close = by_name(measured(right, far=[0.2, 0.5, 0.7]))["close"]

    assert close == Threshold("close", 0.6, kept=(49, 50), refused=(2, 3))


def test_no_answer_is_lost_where_one_would_be_too_many() -> None:
    close = by_name(measured([0.3, *[0.9] * 48]))["close"]

    assert (close.cosine, close.kept) == (0.3, (49, 49))


def test_questions_in_another_language_only_ever_lower_the_bar() -> None:
    further = by_name(measured([0.8], [0.6]))
    nearer = by_name(measured([0.6], [0.8]))

    assert further["close_across_languages"].cosine == 0.6
    assert further["close_across_languages"].kept == (2, 2)
    assert nearer["close_across_languages"].cosine == 0.6


def test_one_other_fact_in_twenty_may_come_to_review_and_none_counts_as_identical() -> None:
    other = [0.8, 0.7, *[0.2] * 18]

    found = by_name(measured(same=[0.9, 0.75, 0.6], nearly=[0.7, 0.85], other=other))

    assert found["review"] == Threshold("review", 0.701, kept=(2, 3), refused=(19, 20))
    assert found["near_identical"] == Threshold(
        "near_identical", 0.801, kept=(1, 2), refused=(20, 20)
    )


def test_near_identical_begins_where_the_texts_that_nearly_are_begin() -> None:
    found = by_name(measured(nearly=[0.95, 0.99], other=[0.4]))

    assert found["near_identical"].cosine == 0.95
    assert found["review"].cosine == 0.401


def test_a_model_that_answers_nothing_gets_a_bar_that_everything_passes() -> None:
    found = by_name(measured([], []))

    assert (found["close"].cosine, found["close"].kept) == (-1, (0, 0))
    assert found["close"].refused == (0, 1)


@given(
    right=st.lists(st.floats(-1, 1), min_size=1, max_size=120),
    other=st.lists(st.floats(-1, 1), min_size=1, max_size=60),
)
def test_the_promised_shares_hold_for_any_model(right: list[float], other: list[float]) -> None:
    found = by_name(measured(right, right, other=other))

    for name in ("close", "close_across_languages"):
        kept, asked = found[name].kept
        assert kept >= 0.98 * asked
    assert found["review"].cosine <= found["near_identical"].cosine <= 1
    if max(other) < 0.999:
        refused, pairs = found["review"].refused
        assert refused >= 0.95 * pairs
        assert found["near_identical"].refused == (len(other), len(other))


def test_the_line_is_one_that_the_settings_understand() -> None:
    name, _, value = setting(thresholds(measured())).partition("=")

    read = read_thresholds(value.split(","))

    assert name == "BRAIN_EMBEDDER_THRESHOLDS"
    assert (read.close, read.close_across_languages) == (0.8, 0.7)
    assert (read.review, read.near_identical) == (0.501, 0.97)


def test_only_the_best_hit_in_the_language_of_the_answer_counts() -> None:
    texts = CalibrationSet(
        statements=[
            Statement("en", "aab", question="aab", across="ab"),
            Statement("en", "ccd", question="aab"),
            Statement("pt", "ab", question="ab"),
        ],
        far=[("en", "zzzb"), ("pt", "zzzab")],
        pairs={"same": [("ab", "ab")], "nearly": [("ab", "abb")], "other": [("a", "b")]},
    )

    found = measure(CountedLetters(), texts)

    assert (found.in_language.asked, found.across.asked) == (3, 1)
    # The second question finds the first statement; "ab" is found in Portuguese only.
    assert found.in_language.right == pytest.approx([1, 1])
    assert found.across.right == pytest.approx([3 / np.sqrt(10)])
    assert found.in_language.far == pytest.approx([1 / np.sqrt(50), 2 / np.sqrt(22)], abs=1e-6)
    assert found.across.far == pytest.approx([1 / np.sqrt(20), 2 / np.sqrt(22)], abs=1e-6)
    assert found.pairs["same"] == pytest.approx([1])
    assert found.pairs["other"] == pytest.approx([0])


def test_the_set_is_as_large_as_its_figures_need_and_says_nothing_twice() -> None:
    texts = calibration_set()

    languages = [each.language for each in texts.statements]
    across = [each for each in texts.statements if each.across]
    said = [each.text for each in texts.statements] + [text for _, text in texts.far]
    assert {language: languages.count(language) for language in set(languages)} == {
        "en": 25,
        "pt": 25,
    }
    assert len(across) == 25
    assert {language for language, _ in texts.far} == {"en", "pt"}
    assert len(texts.far) == 25
    assert {label: len(pairs) for label, pairs in texts.pairs.items()} == {
        "same": 20,
        "other": 20,
        "nearly": 10,
    }
    assert len(set(said)) == len(said)


def test_the_thresholds_of_the_built_in_models_hold_up_here(builtin: Embedder) -> None:
    found = measure(builtin, calibration_set())

    in_language, now = found.in_language, builtin.thresholds
    assert now.close is not None
    assert now.review is not None
    assert len(in_language.right) >= 0.8 * in_language.asked
    # Search also counts the words that question and memory share.
    assert (in_language.right >= now.close).mean() >= 0.8
    assert (in_language.far < now.close).mean() >= 0.7
    assert (found.pairs["other"] < now.review).all()
