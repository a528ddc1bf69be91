"""What the Content-Security-Policy would block never gets into a template."""

import re
from pathlib import Path

import pytest
from django.conf import settings

FOLDER = settings.BASE_DIR / "templates"
TEMPLATES = sorted(FOLDER.rglob("*.html"))
BLOCKED = {
    "an inline style": r"<style|\sstyle=",
    "an inline handler": r"\son[a-z]+=|\shx-on|javascript:",
    "an inline script": r"<script(?![^>]*\ssrc=)",
    "a script without the nonce of the page": r"<script(?![^>]*\snonce=\"{{ csp_nonce }}\")",
    "a request to another host": r"\s(?:src|srcset|data|action|hx-\w+)=[\"'](?:https?:)?//",
    "a style sheet or icon of another host": r"<link[^>]*href=[\"'](?:https?:)?//",
}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(FOLDER)))
@pytest.mark.parametrize("what", BLOCKED)
def test_a_template_has_nothing_that_the_policy_blocks(path: Path, what: str) -> None:
    text = path.read_text()

    assert re.findall(BLOCKED[what], text, re.IGNORECASE) == []


def test_every_icon_that_a_template_names_is_drawn() -> None:
    drawn = set(re.findall(r'<symbol id="(\w+)"', _icons()))

    named = {
        (path.name, name)
        for path in TEMPLATES
        for name in re.findall(r'icon\.html" with name="(\w+)"', path.read_text())
    }

    assert {(where, name) for where, name in named if name not in drawn} == set()


def _icons() -> str:
    path = settings.BASE_DIR / "brain/static/brain/icons.svg"
    assert isinstance(path, Path)
    return path.read_text()
