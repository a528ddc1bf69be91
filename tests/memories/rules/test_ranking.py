"""How words and meaning are weighed together."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.ranking import Candidate, Scale, ranked

NOW = datetime(2026, 1, 1, tzinfo=UTC)
cosines = st.none() | st.floats(-1, 1)
candidates = st.builds(
    Candidate,
    memory_id=st.uuids(),
    updated_at=st.datetimes(timezones=st.just(UTC)),
    bm25=st.floats(0, 100),
    coverage=st.floats(0, 1),
    cosine=cosines,
    second=cosines,
)
scales = st.builds(
    Scale,
    close=st.none() | st.floats(0, 1),
    second_close=st.none() | st.floats(0, 1),
    second_weight=st.floats(0, 1),
    coverage_weight=st.floats(0, 1),
)


def candidate(
    *, bm25: float = 0, coverage: float = 0, cosine: float | None = None, age: int = 0
) -> Candidate:
    return Candidate(uuid.uuid4(), NOW - timedelta(days=age), bm25, coverage, cosine)


def test_without_meaning_the_order_is_that_of_the_words() -> None:
    weak, strong = candidate(bm25=1, coverage=0.2), candidate(bm25=3, coverage=0.9)

    assert [each.candidate for each in ranked([weak, strong], scale=Scale())] == [strong, weak]


def test_meaning_alone_finds_what_shares_no_word() -> None:
    far, near = candidate(bm25=1, coverage=0.1, cosine=0.75), candidate(cosine=0.9)

    best = ranked([far, near], scale=Scale(close=0.83))[0]

    assert best.candidate == near
    assert best.why == "meaning"
    assert best.is_close


def test_what_has_both_comes_before_what_has_one() -> None:
    words = candidate(bm25=5, coverage=1, cosine=0.80)
    meaning = candidate(cosine=0.90)
    both = candidate(bm25=5, coverage=1, cosine=0.90)

    order = ranked([words, meaning, both], scale=Scale(close=0.83))

    assert order[0].candidate == both
    assert order[0].why == "both"


def test_a_memory_without_a_vector_yet_is_judged_by_its_words() -> None:
    fresh = candidate(bm25=5, coverage=1, cosine=None)
    others = [candidate(bm25=1, coverage=0.2, cosine=cosine) for cosine in (0.7, 0.75)]

    assert ranked([*others, fresh], scale=Scale(close=0.83))[0].candidate == fresh


def test_between_equals_the_newer_one_comes_first() -> None:
    old, new = candidate(bm25=1, coverage=0.5, age=9), candidate(bm25=1, coverage=0.5)

    assert [each.candidate for each in ranked([old, new], scale=Scale())] == [new, old]


@pytest.mark.parametrize(
    ("cosine", "is_close"), [(0.95, True), (0.83, True), (0.8299, False), (0.5, False)]
)
def test_the_model_s_threshold_decides_what_is_close(cosine: float, *, is_close: bool) -> None:
    (only,) = ranked([candidate(cosine=cosine)], scale=Scale(close=0.83))

    assert only.is_close is is_close
    assert (only.score >= 0.5) is is_close


def test_the_second_model_counts_only_where_it_has_weight() -> None:
    across = Candidate(uuid.uuid4(), NOW, 0, 0, cosine=0.78, second=0.6)
    scale = Scale(close=0.83, second_close=0.19)

    (without,) = ranked([across], scale=scale)
    (with_it,) = ranked([across], scale=Scale(0.83, 0.19, second_weight=0.5))

    assert not without.is_close
    assert with_it.is_close


@given(found=st.lists(candidates, max_size=20), scale=scales)
def test_any_candidates_are_ordered_completely_and_scored_between_0_and_1(
    found: list[Candidate], scale: Scale
) -> None:
    order = ranked(found, scale=scale)

    assert sorted(each.candidate.memory_id for each in order) == sorted(
        each.memory_id for each in found
    )
    assert all(0 <= each.score <= 1 for each in order)


@given(found=st.lists(candidates, max_size=8, unique_by=lambda each: each.memory_id), scale=scales)
def test_the_order_does_not_depend_on_the_order_of_arrival(
    found: list[Candidate], scale: Scale
) -> None:
    there = [(each.score, each.why) for each in ranked(found, scale=scale)]
    back = [(each.score, each.why) for each in ranked(found[::-1], scale=scale)]

    assert sorted(there) == sorted(back)
