"""What the schema of the REST API shows for everything that it takes and gives; all made up."""

from pydantic import ConfigDict, JsonValue

Example = dict[str, JsonValue]

SPACE_ID = "0d5b7a1e-5a52-4c39-9a4f-6b7f3f1f2a10"
MEMORY_ID = "01936f2e-8a10-7c55-9d2b-3f6c1a0b9e21"
OTHER_ID = "01936f30-11c4-7a08-b1d7-90e25c44d7f3"
QUESTION_ID = "01936f31-52aa-7d61-8e0f-1c9b7a3d5e40"
IMPORT_ID = "01936f33-7b0c-7f12-a3c5-5d8e6f709182"
MOMENT = "2026-11-30T09:15:00Z"
LATER = "2026-12-01T16:40:00Z"


def shown(example: Example, *, is_closed: bool = False) -> ConfigDict:
    """Return the configuration of a schema that is explained by this example."""
    extra: dict[str, JsonValue] = {"examples": [example]}
    if is_closed:
        return ConfigDict(extra="forbid", json_schema_extra=extra)
    return ConfigDict(json_schema_extra=extra)


SAVE: Example = {
    "content": "The API answers errors as problem details.",
    "kind": "decision",
    "path": "Project.Api.Errors",
    "source": "Design review",
    "rationale": "Every client can read them.",
}
REVISE: Example = {"content": "We deploy on Mondays now.", "reason": "The team said so"}
FORGET: Example = {"reason": "The service was switched off"}
CHECKPOINT: Example = {
    "task": "Move the docs",
    "goal": "One site",
    "next_step": "Redirect old links",
}
ANSWER: Example = {"answer": "kept", "seen": "1"}

MEMORY: Example = {
    "id": MEMORY_ID,
    "kind": "decision",
    "path": "Project.Api.Errors",
    "content": "The API answers errors as problem details.",
    "state": "active",
    "author": "agent",
    "client": "Nightly report",
    "source": "Design review",
    "rationale": "Every client can read them.",
    "version": 1,
    "created": MOMENT,
    "updated": MOMENT,
    "confirmed": LATER,
    "confirmations": 2,
    "expires_at": None,
    "superseded_by": None,
}
SOURCE: Example = {
    "text": "Release notes of 2.4",
    "by_person": False,
    "client": "Claude Code",
    "added": LATER,
}
LINK: Example = {"memory": OTHER_ID, "state": "active", "reason": "same_path"}
DETAIL: Example = {
    **MEMORY,
    "sha256": "3d5b1f0a9c27c4e2d98b3f6b8a1740ce52f9d1b67e0c43a8915f2e6d7b80c431",
    "checkpoint": {},
    "more_sources": [SOURCE],
    "replaces": [],
    "links": [LINK],
    "questions": [],
}
NEAR: Example = {"id": OTHER_ID, "kind": "decision", "path": "Project.Api"}
WRITTEN: Example = {
    "outcome": "created",
    "memory": MEMORY,
    "redacted": {},
    "similar": [NEAR],
    "disagrees_with": [],
}
HIT: Example = {"memory": MEMORY, "why": "both", "score": 0.91}
SEARCH: Example = {
    "results": [HIT],
    "disagreements": [],
    "is_close": True,
    "meaning": True,
    "more": 0,
}
PATH: Example = {"path": "Project.Api", "count": 12}
TASK: Example = {**MEMORY, "kind": "checkpoint", "path": "Tasks.Move-the-docs"}
CHECKPOINTS: Example = {"items": [TASK], "nearest_tasks": [], "more": 0, "disagreements": []}
VERSION: Example = {
    "number": 1,
    "kind": "decision",
    "path": "Project.Api.Errors",
    "content": "The API answers errors as problem details.",
    "sha256": DETAIL["sha256"],
    "source": "Design review",
    "rationale": "Every client can read them.",
    "operation": "created",
    "reason": "",
    "author": "agent",
    "client": "Nightly report",
    "created": MOMENT,
    "erased_at": None,
}
QUESTION: Example = {
    "id": QUESTION_ID,
    "question": "disagreement",
    "memory": MEMORY_ID,
    "other": OTHER_ID,
    "seen": "1.1",
    "evidence": {"reason": "number"},
    "state": "open",
    "resolution": "",
    "created": LATER,
}
ACTIVITY: Example = {
    "at": MOMENT,
    "verb": "saved",
    "memory": MEMORY_ID,
    "version": 1,
    "reason": "",
    "by_agent": True,
    "client": "Nightly report",
    "agent_instance": "runner-7",
    "door": "rest",
}
CONFLICT: Example = {
    "type": "urn:agents-brain:problem:moved_on",
    "title": "Precondition Failed",
    "status": 412,
    "code": "moved_on",
    "detail": "The memory is at version 2 now; nothing was written.",
    "hint": "Look at the current text, then send its ETag as If-Match.",
    "current": {**MEMORY, "version": 2},
}
ITEM: Example = {
    "number": 1,
    "memory": MEMORY_ID,
    "path": "Project.Api.Errors",
    "verdict": "new",
    "reason": "",
    "is_here": False,
}
IMPORT: Example = {
    "id": IMPORT_ID,
    "stage": "ready",
    "file_name": "work-2026-11-30.json",
    "size": 18204,
    "percent": 0,
    "handed_in_by": "Nightly report",
    "origin": "https://brain.example.org",
    "memories": 1,
    "counts": {"new": 1},
    "redacted": {},
    "left_out": 0,
    "problem": "",
    "created": MOMENT,
    "finished": None,
    "verdict": "new",
    "items": [ITEM],
    "after": 0,
}
EXPORT: Example = {
    "format": "agents-brain/1",
    "exported_at": MOMENT,
    "origin": "https://brain.example.org",
    "space": {
        "id": SPACE_ID,
        "name": "Work",
        "description": "What the team decided.",
        "language": "en",
        "auto_redact_pii": False,
    },
    "memories": [],
    "links": [],
    "reviews": [],
}
