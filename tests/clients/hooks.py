"""The hooks of `docs/agents/claude-code/`, run as Claude Code runs them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

FOLDER = Path(settings.BASE_DIR) / "docs" / "agents" / "claude-code"
SCRIPT = FOLDER / "agents_brain.py"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """What a hook printed, and what it left to the debug log."""

    code: int
    output: str
    errors: str

    @property
    def context(self) -> str:
        """What the model is given."""
        return str(json.loads(self.output)["hookSpecificOutput"]["additionalContext"])

    @property
    def message(self) -> str:
        """What the person is told."""
        said = json.loads(self.output)
        assert set(said) == {"systemMessage"}
        return str(said["systemMessage"])


def fire(event: Json | str, *, variables: Mapping[str, str] | None = None) -> Answered:
    """Run the script with this event on its stdin and no other of our variables."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("AGENTS_")}
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        check=False,
        input=event if isinstance(event, str) else json.dumps(event),
        env=kept | dict(variables or {}),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return Answered(done.returncode, done.stdout, done.stderr)


def session_start(source: str = "startup") -> Json:
    """Return the event as Claude Code sends it."""
    return {
        "session_id": "8f0f7a52-7d0a-4f4e-9a55-3d1c1e3f0b11",
        "transcript_path": "/nowhere/conversation.jsonl",
        "cwd": "/nowhere",
        "hook_event_name": "SessionStart",
        "source": source,
    }


def stop(transcript: Path, **changed: object) -> Json:
    """Return the event as Claude Code sends it."""
    event = {
        "session_id": "8f0f7a52-7d0a-4f4e-9a55-3d1c1e3f0b11",
        "transcript_path": str(transcript),
        "cwd": "/nowhere",
        "permission_mode": "default",
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        "last_assistant_message": "That is it.",
        "background_tasks": [],
        "session_crons": [],
    }
    return event | changed


def called(tool: str, *, number: int = 1, sidechain: bool = False) -> Json:
    """Return the line of a transcript in which the model called a tool."""
    block = {"type": "tool_use", "id": f"toolu_{number}", "name": tool, "input": {}}
    message = {"role": "assistant", "content": [{"type": "text", "text": "So."}, block]}
    return {"type": "assistant", "isSidechain": sidechain, "message": message}


def returned(*, number: int = 1, is_error: bool = False) -> Json:
    """Return the line in which a call's result came back."""
    block = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "…"}
    content = [block | ({"is_error": True} if is_error else {})]
    return {"type": "user", "message": {"role": "user", "content": content}}


def reminded(text: str) -> Json:
    """Return the line in which a reminder of this hook was handed to the model."""
    shown = {"type": "hook_additional_context", "content": [text], "hookEvent": "Stop"}
    return {"type": "attachment", "attachment": shown}
