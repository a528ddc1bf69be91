"""The suite's fixtures are no part of the product, and every known failure has its reason."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings

from tests.conformance.fixtures.asking import ASKING
from tests.conformance.fixtures.prompts import PROMPTS
from tests.conformance.fixtures.tools import ANSWERS
from tests.factories import make_space
from tests.mcp_gateway.clients import connected
from tools.conformance_table import known_failures

HERE = Path(__file__).parent
APPS = ("accounts", "brain", "mcp_gateway", "memories", "spaces")


@pytest.mark.parametrize("settings_module", ["brain.settings", "tests.settings", ""])
def test_the_fixtures_do_not_start_under_other_settings(settings_module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import tests.conformance.application"],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": settings_module},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "starts only with tests.conformance.settings" in done.stderr


@pytest.mark.django_db(transaction=True)
async def test_the_product_has_none_of_the_suite_s_tools_and_prompts() -> None:
    space = await sync_to_async(make_space)()

    async with connected(space) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}

    assert not tools & {*ANSWERS, *ASKING}
    assert not prompts & set(PROMPTS)


def test_no_part_of_the_product_imports_a_test() -> None:
    importing = [
        str(file)
        for app in APPS
        for file in (settings.BASE_DIR / app).rglob("*.py")
        if re.search(r"^\s*(?:from|import) tests\b", file.read_text(), re.MULTILINE)
    ]

    assert importing == []


@pytest.mark.parametrize("file", sorted(HERE.glob("*.yml")), ids=lambda file: file.stem)
def test_every_known_failure_says_why(file: Path) -> None:
    entries = [line for line in file.read_text().splitlines() if line.startswith("  - ")]

    assert entries
    for entry in entries:
        assert re.fullmatch(r"  - [\w:-]+ # [A-Z].{10,}\.", entry), entry


@pytest.mark.parametrize("name", ["2025-11-25", "2026-07-28", "plain"])
def test_the_page_about_clients_lists_every_known_failure(name: str) -> None:
    page = (settings.BASE_DIR / "docs" / "clients.md").read_text()

    for entry, reason in known_failures(name).items():
        assert f"- `{entry}`: {reason}\n" in page
