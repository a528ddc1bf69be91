import itertools
import random

import pytest

from memories.rules.maps import CELL, Box, Group, arc, flow, place, place_cards, shortened


def groups_of(marks: int, *, seed: int) -> list[Group]:
    chance = random.Random(seed)  # noqa: S311
    groups = []
    while marks > 0:
        parts = [Group("x" * chance.randrange(12), chance.randrange(1, 20)) for _ in range(5)]
        marks -= sum(part.count for part in parts)
        groups.append(Group("y" * chance.randrange(1, 40), parts=parts))
    return groups


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.right - 0.01
        and other.x < one.right - 0.01
        and one.y < other.bottom - 0.01
        and other.y < one.bottom - 0.01
    )


@pytest.mark.parametrize("width", [300, 328, 720, 1062, 1600])
@pytest.mark.parametrize("seed", range(5))
def test_nothing_lies_over_anything_else_or_beyond_the_edge(width: int, seed: int) -> None:
    territories, height = place(groups_of(1000, seed=seed), width=width)

    boxes = [territory.box for territory in territories]
    assert not any(overlap(*pair) for pair in itertools.combinations(boxes, 2))
    assert all(box.x >= 0 and box.right <= width + 0.01 and box.bottom <= height for box in boxes)
    for territory in territories:
        inner = [block.box for block in territory.blocks]
        assert not any(overlap(*pair) for pair in itertools.combinations(inner, 2))
        assert all(box.right <= territory.box.right for box in inner)
        assert all(box.bottom <= territory.box.bottom for box in inner)


def test_every_mark_has_room_to_be_pointed_at() -> None:
    groups = groups_of(300, seed=1)
    territories, _ = place(groups, width=1062)

    spots = [spot for each in territories for block in each.blocks for spot in block.marks]
    assert len(spots) == sum(part.count for group in groups for part in group.parts)
    assert len(set(spots)) == len(spots)
    for (x1, y1), (x2, y2) in itertools.combinations(spots, 2):
        assert max(abs(x1 - x2), abs(y1 - y2)) >= CELL - 0.01


def test_marks_come_in_the_order_in_which_they_are_read() -> None:
    [territory], _ = place([Group("Shop", parts=[Group("", 7)])], width=200)

    marks = territory.blocks[0].marks
    assert sorted(marks, key=lambda spot: (spot[1], spot[0])) == list(marks)


def test_rows_end_at_one_edge_but_a_short_last_one_does_not() -> None:
    boxes = flow([(40, 10), (40, 20), (40, 10)], width=100, stretches=True)

    assert [box.right for box in boxes] == [43, 100, 40]
    assert [box.height for box in boxes] == [20, 20, 10]
    assert flow([], width=100, stretches=True) == []


def test_cards_of_clusters_fit_on_a_phone() -> None:
    boxes, height = place_cards(5, width=300)

    assert all(box.right <= 300 and box.bottom <= height for box in boxes)
    assert place_cards(0, width=300) == ([], 0.0)
    assert place([], width=300) == ([], 0.0)


def test_an_arc_goes_from_one_place_to_the_other() -> None:
    assert arc((0, 0), (100, 0)) == "M0 0Q50 18 100 0"


def test_a_name_that_is_too_long_says_that_there_is_more() -> None:
    assert shortened("Strategy", 200) == "Strategy"
    assert shortened("Strategy", 40) == "Str…"
    assert shortened("Strategy", 1) == "S…"
