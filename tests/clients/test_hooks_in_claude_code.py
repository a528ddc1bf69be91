"""The hooks inside Claude Code itself: what they say is what its model reads."""

import json
import shutil
from dataclasses import dataclass

import pytest

from tests.clients.coding_agents import ClaudeCode
from tests.clients.conftest import NewPlace
from tests.clients.hooks import FOLDER, SCRIPT
from tests.clients.place import Place
from tests.clients.scripted_models import Call, Say, ScriptedModel, serving
from tests.clients.terminal import Done

pytestmark = [pytest.mark.product, pytest.mark.clients]
TASK = {"task": "Move staging", "goal": "Staging on new hosts", "next_step": "Copy the data"}
WORK: list[Call | Say] = [Call("Bash", {"command": "true", "description": "Work"}, own=True)] * 3
REMINDED = "since the last checkpoint in memory: 3."


@dataclass(frozen=True, slots=True)
class Hooked:
    """Claude Code with the files of `docs/agents/claude-code/`, set up as the page says."""

    agent: ClaudeCode
    key: str

    def ask(self, prompt: str, *, model: ScriptedModel, go_on: bool = False, **more: str) -> Done:
        return self.agent.ask(
            prompt,
            model=model,
            options=("--continue",) if go_on else (),
            variables={"AGENTS_BRAIN_KEY": self.key, **more},
        )


@pytest.fixture
def hooked(claude_code: ClaudeCode, place: Place) -> Hooked:
    claude_code.connect(place)
    home = claude_code.terminal.home / ".claude"
    (home / "hooks").mkdir(parents=True, exist_ok=True)
    shutil.copy(SCRIPT, home / "hooks")
    settings = json.loads((FOLDER / "settings.json").read_text())
    settings["env"]["AGENTS_BRAIN_URL"] = place.url
    settings["permissions"] = {"allow": ["Bash"]}
    (home / "settings.json").write_text(json.dumps(settings))
    return Hooked(claude_code, place.key("auth:read"))


def test_its_model_begins_with_where_the_work_stopped(hooked: Hooked, place: Place) -> None:
    place.call("checkpoint", key=place.key(), **TASK)

    with serving(hooked.agent.dialect, Say()) as model:
        hooked.ask("Good morning.", model=model)

    read = model.read()
    assert "Where earlier work stopped, read from memory just now." in read
    for text in TASK.values():
        assert text in read
    assert hooked.key not in json.dumps(model.requests)


def test_a_project_of_another_space_has_its_address_and_key(
    hooked: Hooked, new_place: NewPlace
) -> None:
    other = new_place()
    other.call("checkpoint", key=other.key(), **TASK)
    settings = hooked.agent.terminal.work / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    address = {"AGENTS_BRAIN_URL": other.url, "AGENTS_BRAIN_KEY_FROM": "OTHER_KEY"}
    settings.write_text(json.dumps({"env": address}))

    with serving(hooked.agent.dialect, Say()) as model:
        hooked.ask("Good morning.", model=model, OTHER_KEY=other.key("auth:read"))

    assert TASK["next_step"] in model.read()


def test_a_key_that_does_not_work_does_not_stop_the_conversation(hooked: Hooked) -> None:
    broken = Hooked(hooked.agent, "no-such-key")

    with serving(hooked.agent.dialect, Say("Good morning.")) as model:
        asked = broken.ask("Good morning.", model=model)

    assert (asked.code, asked.output) == (0, "Good morning.\n")
    assert "Where earlier work stopped" not in model.read()


def test_reminded_at_the_end_its_model_saves_a_checkpoint(hooked: Hooked, place: Place) -> None:
    turns: list[Call | Say] = [
        *WORK,
        Say("Finished."),
        Call("checkpoint", TASK),
        Say("Saved as well."),
    ]

    with serving(hooked.agent.dialect, *turns) as model:
        asked = hooked.ask("Move staging.", model=model)

    (kept,) = place.call("resume", key=place.key())["checkpoints"]
    assert asked.output == "Saved as well.\n"
    assert {name: kept[name] for name in TASK} == TASK
    assert json.dumps(model.requests[-1]).count(REMINDED) == 1


def test_a_model_that_ignores_the_reminder_is_left_alone(hooked: Hooked) -> None:
    with serving(hooked.agent.dialect, *WORK, Say("Finished."), Say("No need.")) as model:
        asked = hooked.ask("Move staging.", model=model)
    with serving(hooked.agent.dialect, Say("Here I am.")) as later:
        again = hooked.ask("And?", model=later, go_on=True)

    assert asked.output == "No need.\n"
    assert json.dumps(model.requests[-1]).count(REMINDED) == 1
    assert again.output == "Here I am.\n"
    assert REMINDED in json.dumps(later.requests[-1])


def test_a_conversation_that_is_compacted_keeps_what_a_checkpoint_needs(
    hooked: Hooked, place: Place
) -> None:
    place.call("checkpoint", key=place.key(), **TASK)
    with serving(hooked.agent.dialect, Say("Half of it is copied.")) as model:
        hooked.ask("Move staging.", model=model)

    with serving(hooked.agent.dialect, Say("Staging: half is copied.")) as compacting:
        hooked.ask("/compact", model=compacting, go_on=True)
    with serving(hooked.agent.dialect, Say()) as later:
        hooked.ask("Go on.", model=later, go_on=True)

    assert "For each task that is not finished, keep in the summary" in compacting.read()
    assert "The conversation was compacted just now." not in compacting.read()
    assert "The conversation was compacted just now." in later.read()
    assert "Staging: half is copied." in later.read()
    assert later.read().index("compacted just now") > later.read().index("Copy the data")
