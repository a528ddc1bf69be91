"""The sums behind the benchmark of growth."""

from itertools import islice

import pytest

from bench.growth.sizes import sizes, typical
from bench.growth.texts import Texts


def test_the_spaces_hold_as_many_memories_as_were_asked_for() -> None:
    found = sizes(1_000_000, spaces=2_000)

    assert len(found) == 2_000
    assert sum(found) == 1_000_000


def test_one_space_is_very_large_some_are_large_and_most_are_small() -> None:
    found = sizes(1_000_000, spaces=2_000)

    assert found == sorted(found, reverse=True)
    assert found[:2] == [100_000, 10_000]
    assert sum(size >= 10_000 for size in found) == 21
    assert found[1_000] < 500
    assert found[-1] > 0


def test_the_spaces_that_are_measured_are_of_three_sizes() -> None:
    found = sizes(1_000_000, spaces=2_000)

    measured = {name: found[place] for name, place in typical(found).items()}

    assert measured["large"] == 100_000
    assert measured["middle"] == 10_000
    assert measured["small"] < found[1_000]


def test_fewer_memories_than_ten_a_space_are_refused() -> None:
    with pytest.raises(ValueError, match="10 memories for each"):
        sizes(900, spaces=100)


def test_texts_are_the_same_in_every_run_and_never_repeat() -> None:
    one, two = (list(islice(Texts(), 2_000)) for _ in range(2))

    assert one == two
    assert len(set(one)) == 2_000
