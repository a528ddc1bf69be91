"""How much memory the building of an index may take."""

import pytest

from brain.embedded.memory import LEAST, MOST, building_memory, fitting

GIGABYTE = 2**30


@pytest.mark.parametrize(
    ("memory", "megabytes"),
    [(GIGABYTE // 4, LEAST), (GIGABYTE, 128), (4 * GIGABYTE, 512), (64 * GIGABYTE, MOST)],
    ids=["very small", "small", "usual", "large"],
)
def test_it_is_an_eighth_of_the_machine_within_bounds(memory: int, megabytes: int) -> None:
    assert fitting(memory, shared=64 * GIGABYTE) == megabytes


def test_a_container_that_shares_little_keeps_the_default_of_postgresql() -> None:
    assert fitting(64 * GIGABYTE, shared=64 * 2**20) == LEAST


def test_this_machine_has_an_answer() -> None:
    assert LEAST <= building_memory() <= MOST
