"""WCAG 2.2 contrast of the colours in tokens.css, in the light and in the dark theme."""

import re

import pytest
from django.conf import settings

TOKENS = (settings.BASE_DIR / "brain/static/brain/css/tokens.css").read_text()
COLOURS = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", TOKENS)
}
SURFACES = ["paper", "surface", "raised", "sunken", "hover"]
TONES = ["danger", "warning", "success", "info"]
KINDS = ["decision", "preference", "observation", "checkpoint", "pointer"]
TEXTS = ["ink", "ink-soft", "ink-faint", "link", "danger", "warning", "success"]
EDGES = ["control-line", "control-line-hover", "focus", "danger-fill", "accent"]

READ = [
    *[(text, surface) for text in TEXTS for surface in SURFACES],
    *[(name, f"{name}-tint") for name in [*TONES, *KINDS, "accent"]],
    *[(ink, f"{tone}-tint") for ink in ("ink", "ink-soft") for tone in [*TONES, "accent"]],
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    ("on-danger", "danger-fill"),
    ("on-danger", "danger-fill-hover"),
]
SEEN = [
    *[(edge, surface) for edge in EDGES for surface in SURFACES],
    *[("focus", f"{tone}-tint") for tone in TONES],
]


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted([_luminance(one), _luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), READ)
def test_text_stands_out_from_its_ground(text: str, ground: str, theme: str) -> None:
    contrast = _contrast(COLOURS[text][theme], COLOURS[ground][theme])

    assert contrast >= 4.5, f"{text} on {ground}: {contrast:.2f}"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), SEEN)
def test_borders_and_focus_stand_out_from_their_ground(edge: str, ground: str, theme: str) -> None:
    contrast = _contrast(COLOURS[edge][theme], COLOURS[ground][theme])

    assert contrast >= 3, f"{edge} on {ground}: {contrast:.2f}"


def test_no_other_style_sheet_names_a_colour() -> None:
    folder = settings.BASE_DIR / "brain/static/brain/css"
    sheets = [path for path in folder.glob("*.css") if path.name != "tokens.css"]

    named = {
        path.name: re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(", path.read_text()) for path in sheets
    }

    assert {name: found for name, found in named.items() if found} == {}
