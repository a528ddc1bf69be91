"""A flame graph as one small picture without scripts: width is time, upwards is called by."""

import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from bench.load.stacks import Frame, Stack, owner_of

WIDTH, ROW, LETTER = 1200, 15, 6.1
# Narrower ones are left out: nobody could see them.
LEAST = 0.0025
DEEPEST = 60
_HUES = {
    "ours: rules": 150,
    "ours: the rest": 130,
    "SDK and protocol": 215,
    "Django and driver": 30,
    "embedding model": 280,
    "limits, metrics, hints": 0,
    "": 55,
}


@dataclass
class Node:
    """A function in its place: how often it was seen, and what it called."""

    seen: int = 0
    calls: dict[Frame, "Node"] = field(default_factory=dict)


def picture(found: Counter[Stack], *, title: str) -> str:
    """Return the SVG of these stacks."""
    root = Node()
    for stack, seen in found.items():
        node = root
        node.seen += seen
        for frame in _told(stack)[:DEEPEST]:
            node = node.calls.setdefault(frame, Node())
            node.seen += seen
    boxes = list(_boxes(root, x=0.0, level=0, scale=WIDTH / max(root.seen, 1)))
    height = (max((level for *_, level in boxes), default=0) + 4) * ROW
    drawn = "\n".join(_box(*box, height=height) for box in boxes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="monospace" font-size="10" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
        f'<text x="4" y="11" font-size="12">{escape(title)}</text>\n'
        f"{_legend()}\n{drawn}\n</svg>\n"
    )


def _legend() -> str:
    """Return a line that says which colour is whose code."""
    return "\n".join(
        f'<rect x="{4 + 165 * place}" y="17" width="10" height="10" fill="hsl({hue} 65% 77%)"/>'
        f'<text x="{18 + 165 * place}" y="26">{escape(owner or "Python and others")}</text>'
        for place, (owner, hue) in enumerate(_HUES.items())
    )


def _told(stack: Stack) -> Stack:
    """Leave out what is not a place in anybody's code, such as the line that starts a module."""
    return tuple(frame for frame in stack if frame.module)


def _boxes(
    node: Node, *, x: float, level: int, scale: float
) -> Iterator[tuple[Frame, float, float, int]]:
    for frame, called in sorted(node.calls.items(), key=lambda each: str(each[0])):
        width = called.seen * scale
        if width >= LEAST * WIDTH:
            yield frame, x, width, level
            yield from _boxes(called, x=x, level=level + 1, scale=scale)
        x += width


def _box(frame: Frame, x: float, width: float, level: int, *, height: int) -> str:
    y = height - (level + 1) * ROW
    share = f"{100 * width / WIDTH:.1f} %"
    hue = _HUES[owner_of(frame.module)]
    light = 70 + zlib.crc32(str(frame).encode()) % 16
    name = str(frame)[: max(int(width / LETTER), 0)]
    text = f'<text x="{x + 2:.1f}" y="{y + 11}">{escape(name)}</text>' if len(name) > 3 else ""  # noqa: PLR2004
    place = f'x="{x:.1f}" y="{y}" width="{max(width - 0.3, 0.3):.1f}" height="{ROW - 1}"'
    return (
        f"<g><title>{escape(str(frame))} {share}</title>"
        f'<rect {place} fill="hsl({hue} 65% {light}%)"/>{text}</g>'
    )
