"""The same hook inside Codex, which sends the same event at the start of a conversation."""

import json
import shutil

import pytest

from tests.clients.coding_agents import Codex
from tests.clients.hooks import FOLDER, SCRIPT
from tests.clients.place import Place
from tests.clients.scripted_models import Say, serving

pytestmark = [pytest.mark.product, pytest.mark.clients]
TASK = {"task": "Move staging", "goal": "Staging on new hosts", "next_step": "Copy the data"}
# In the place of the person who looks at the hook and trusts it.
TRUSTED = ("--dangerously-bypass-hook-trust",)


@pytest.fixture
def hooked(codex: Codex, place: Place) -> Codex:
    home = codex.terminal.home / ".codex"
    (home / "hooks").mkdir()
    shutil.copy(SCRIPT, home / "hooks")
    shutil.copy(FOLDER.parent / "codex" / "hooks.json", home)
    place.call("checkpoint", key=place.key(), **TASK)
    return codex


def test_its_model_begins_with_where_the_work_stopped(hooked: Codex, place: Place) -> None:
    key = place.key("auth:read")
    variables = {"AGENTS_BRAIN_URL": place.url, "AGENTS_BRAIN_KEY": key}

    with serving(hooked.dialect, Say()) as model:
        asked = hooked.ask("Good morning.", model=model, options=TRUSTED, variables=variables)

    assert "hook: SessionStart Completed" in asked.output
    for text in ("read from memory just now", *TASK.values()):
        assert text in model.read()
    assert key not in json.dumps(model.requests)


def test_codex_runs_no_hook_that_nobody_looked_at(hooked: Codex, place: Place) -> None:
    variables = {"AGENTS_BRAIN_URL": place.url, "AGENTS_BRAIN_KEY": place.key("auth:read")}

    with serving(hooked.dialect, Say()) as model:
        asked = hooked.ask("Good morning.", model=model, variables=variables)

    assert asked.code == 0
    assert "read from memory just now" not in model.read()
