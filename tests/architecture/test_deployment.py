"""The files for operators agree with the product and with its page of settings."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from brain.embedded.roles import EXTENSIONS, LEAKPROOF

ROOT = Path(settings.BASE_DIR)
# Of the images and the files themselves, not of the product.
OTHERS = {"BRAIN_DOMAIN", "BRAIN_OWNER_PASSWORD", "BRAIN_APP_PASSWORD"}
FILES = [
    "Dockerfile",
    "compose.yaml",
    "deploy/env.example",
    *(str(each.relative_to(ROOT)) for each in sorted((ROOT / "deploy/systemd").glob("*.service"))),
]


@pytest.mark.parametrize("name", FILES)
def test_every_setting_in_a_file_for_operators_is_one_of_the_product(name: str) -> None:
    documented = (ROOT / "docs/operating.md").read_text()
    used = set(re.findall(r"\b(?:BRAIN|DATABASE|BROKER)_[A-Z_]+", (ROOT / name).read_text()))

    assert {each for each in used - OTHERS if f"`{each}`" not in documented} == set()


def test_a_new_database_gets_what_the_embedded_one_has() -> None:
    script = (ROOT / "deploy/database.sh").read_text()

    assert re.findall(r"create extension (\w+)", script) == list(EXTENSIONS)
    assert re.findall(r"alter function (.+) leakproof", script) == list(LEAKPROOF)


def test_the_image_runs_the_tasks_and_the_site_that_there_are() -> None:
    texts = (ROOT / "Dockerfile").read_text() + (ROOT / "compose.yaml").read_text()

    assert "brain.asgi:application" in texts.replace('"', "")
    assert "--app=brain" in texts
    for copied in re.findall(r"^COPY (requirements\S+) (requirements\S+)", texts, re.MULTILINE)[0]:
        assert (ROOT / copied).is_file()


def test_no_secret_has_a_value_in_the_example() -> None:
    lines = (ROOT / "deploy/env.example").read_text().splitlines()

    assert [line for line in lines if line and line[0] != "#" and not line.endswith("=")] == []
