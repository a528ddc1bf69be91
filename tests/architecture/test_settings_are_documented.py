"""Whoever runs the product finds every choice in docs/operating.md, and no other."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from brain.embedded.roles import EXTENSIONS, LEAKPROOF

PAGE = (settings.BASE_DIR / "docs/operating.md").read_text()
# The first cell of a row: | `NAME` |
DOCUMENTED = re.findall(r"^\| `([A-Z][A-Z_]+)` \|", PAGE, re.MULTILINE)


def read_in(path: Path) -> set[str]:
    """Return the names of the variables that a module reads from the environment."""
    reading = r"(?:\benv_\w+|\benviron\.get|\bgetenv)\(\s*\"([A-Z_]+)\""
    return set(re.findall(reading, path.read_text()))


def read_anywhere() -> set[str]:
    return {name for path in (settings.BASE_DIR / "brain").rglob("*.py") for name in read_in(path)}


@pytest.mark.parametrize("name", sorted(read_in(settings.BASE_DIR / "brain/settings.py")))
def test_a_variable_of_the_settings_has_one_row(name: str) -> None:
    assert DOCUMENTED.count(name) == 1


def test_variables_are_found_and_every_row_is_about_one_that_is_read() -> None:
    assert {"BRAIN_PORT", "BRAIN_EMBEDDER_QUERY_PREFIX", "DATABASE_URL"} <= read_anywhere()
    assert set(DOCUMENTED) == read_anywhere()


@pytest.mark.parametrize("name", EXTENSIONS)
def test_an_own_database_is_told_of_every_extension(name: str) -> None:
    assert f"create extension {name};" in PAGE


@pytest.mark.parametrize("function", LEAKPROOF)
def test_an_own_database_is_told_of_every_function_that_indexes_need(function: str) -> None:
    assert f"alter function {function} leakproof;" in PAGE
