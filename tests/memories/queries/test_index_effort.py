"""How far the index for vectors is looked into, in one go."""

import pytest

from memories.queries.candidates import INDEX_EFFORT, MOST_EFFORT, index_effort


@pytest.mark.parametrize(
    ("indexed", "size", "effort"),
    [
        (100_000, 100_000, INDEX_EFFORT),
        (500_000, 100_000, 500),
        (1_000_000, 100_000, MOST_EFFORT),
        (50_000_000, 100_000, MOST_EFFORT),
        (0, 20_000, INDEX_EFFORT),
    ],
    ids=["alone", "a fifth", "a tenth", "hardly any", "nothing known"],
)
def test_it_is_as_far_as_the_vectors_of_other_spaces_make_it_go(
    indexed: int, size: int, effort: int
) -> None:
    assert index_effort(indexed, size=size) == effort
