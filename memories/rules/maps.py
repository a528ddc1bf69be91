"""Where everything stands on the map: boxes for first segments, in them boxes for second ones."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

# The least size of a target is 24 (WCAG 2.2, 2.5.8).
CELL = 26
PADDING = 14
GAP = 14
TITLE = 34
LABEL = 22
# About as wide as a character of a label is, at its size.
LETTER = 6.7
TITLE_LETTER = 8.2
LABEL_CELLS = 6
CARD_WIDTH, CARD_HEIGHT = 208, 84
# A last row that is this full is stretched like the ones above it.
NEARLY_FULL = 0.6


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Block:
    """The marks of one path; `label` is as much of its name as fits above them."""

    label: str
    box: Box
    marks: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Territory:
    label: str
    box: Box
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Group:
    """What is to be placed: the name of a path, and how many marks it has or its parts."""

    name: str
    count: int = 0
    parts: Sequence["Group"] = ()


def place(groups: Sequence[Group], *, width: float) -> tuple[list[Territory], float]:
    """Place all groups in rows no wider than `width`; return them and the height of it all."""
    room = width - 2 * PADDING
    inner = [_blocks(group.parts, room=room) for group in groups]
    sizes = [
        _outer(blocks, group, width=width) for group, blocks in zip(groups, inner, strict=True)
    ]
    boxes = flow(sizes, width=width, stretches=True)
    territories = [
        Territory(
            shortened(group.name, box.width - 2 * PADDING),
            box,
            [_moved(block, box.x + PADDING, box.y + TITLE) for block in blocks],
        )
        for group, blocks, box in zip(groups, inner, boxes, strict=True)
    ]
    return territories, max((box.bottom for box in boxes), default=0.0)


def place_cards(count: int, *, width: float) -> tuple[list[Box], float]:
    """Place as many cards of one size in rows."""
    size = (min(CARD_WIDTH, width), CARD_HEIGHT)
    boxes = flow([size] * count, width=width, stretches=True)
    return boxes, max((box.bottom for box in boxes), default=0.0)


def arc(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return an arc from one place to another as the path of an SVG; it bends to its right."""
    (x1, y1), (x2, y2) = start, end
    bend = 0.18
    middle_x = (x1 + x2) / 2 + (y1 - y2) * bend
    middle_y = (y1 + y2) / 2 + (x2 - x1) * bend
    return f"M{x1:.0f} {y1:.0f}Q{middle_x:.0f} {middle_y:.0f} {x2:.0f} {y2:.0f}"


def flow(
    sizes: Sequence[tuple[float, float]], *, width: float, stretches: bool = False
) -> list[Box]:
    """Place boxes one after the other in rows, like words; stretched rows end at one edge."""
    boxes: list[Box] = []
    row: list[Box] = []
    x = y = 0.0
    for box_width, box_height in sizes:
        if row and x + box_width > width:
            boxes += _stretched(row, width=width) if stretches else row
            x, y = 0.0, max(box.bottom for box in row) + GAP
            row = []
        row.append(Box(x, y, box_width, box_height))
        x += box_width + GAP
    is_nearly_full = bool(row) and row[-1].right >= width * NEARLY_FULL
    return boxes + (_stretched(row, width=width if is_nearly_full else 0) if stretches else row)


def _stretched(row: Sequence[Box], *, width: float) -> list[Box]:
    """Make the boxes of a row equally high, and share what is left of its width among them."""
    if not row:
        return []
    height = max(box.height for box in row)
    more = max(width - row[-1].right, 0) / len(row)
    return [
        replace(box, x=box.x + more * place, width=box.width + more, height=height)
        for place, box in enumerate(row)
    ]


def _blocks(parts: Sequence[Group], *, room: float) -> list[Block]:
    most = max(int(room // CELL), 1)
    columns = [_columns(part, most=most) for part in parts]
    sizes = [
        (float(each * CELL), float(_top(part) + math.ceil(part.count / each) * CELL))
        for part, each in zip(parts, columns, strict=True)
    ]
    boxes = flow(sizes, width=room)
    return [
        Block(
            shortened(part.name, box.width, letter=LETTER),
            box,
            [
                (
                    box.x + (number % each + 0.5) * CELL,
                    box.y + _top(part) + (number // each + 0.5) * CELL,
                )
                for number in range(part.count)
            ],
        )
        for part, each, box in zip(parts, columns, boxes, strict=True)
    ]


def _columns(part: Group, *, most: int) -> int:
    """Return how many marks stand side by side: wider than high, and with room for the name."""
    for_name = min(math.ceil(len(part.name) * LETTER / CELL), LABEL_CELLS)
    return min(max(math.ceil(math.sqrt(part.count * 2.2)), for_name, 1), most)


def _top(part: Group) -> float:
    return LABEL if part.name else 0


def _outer(blocks: Sequence[Block], group: Group, *, width: float) -> tuple[float, float]:
    content = max((block.box.right for block in blocks), default=0)
    title = min(len(group.name) * TITLE_LETTER, width - 2 * PADDING)
    height = max((block.box.bottom for block in blocks), default=0)
    return max(content, title) + 2 * PADDING, TITLE + height + PADDING


def _moved(block: Block, x: float, y: float) -> Block:
    box = replace(block.box, x=block.box.x + x, y=block.box.y + y)
    return Block(block.label, box, [(mark_x + x, mark_y + y) for mark_x, mark_y in block.marks])


def shortened(name: str, width: float, *, letter: float = TITLE_LETTER) -> str:
    """Return as much of `name` as fits, about, into the width."""
    most = max(int(width / letter), 1)
    return name if len(name) <= most else f"{name[: max(most - 1, 1)]}…"
