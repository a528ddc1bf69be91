"""Read an export record by record, however long the file is and whatever it holds."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

import ijson

from brain.lib.errors import DomainError

SECTIONS = frozenset({"memories", "links", "reviews", "events"})
_HEAD = frozenset({"format", "exported_at", "origin", "space"})
DEPTH_MAX = 12
# What one record may hold, in characters of its texts: far more than any memory with its history.
RECORD_MAX = 32_000_000


class FileError(DomainError):
    """The file cannot be read at all, or not any further."""

    code = "bad_file"
    hint = "Choose a file that Agents Brain exported."


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a section, as JSON again; or a value of the head of the file."""

    section: str
    number: int
    text: str


@dataclass(slots=True)
class _Building:
    """The value that is being read: its open maps and lists, innermost last."""

    open: list[Any] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    size: int = 0

    def feed(self, event: str, value: object) -> tuple[bool, Any]:
        """Take one event; say whether a whole value is there, and give it."""
        if event == "map_key":
            self._key(str(value))
        elif event in {"start_map", "start_array"}:
            self._start([] if event == "start_array" else {})
        elif event in {"end_map", "end_array"}:
            self.keys.pop()
            return self._add(self.open.pop())
        else:
            self.size += len(value) if isinstance(value, str) else 8
            return self._add(value)
        if self.size > RECORD_MAX:
            raise FileError("One record of the file is far too large.")
        return False, None

    def _key(self, key: str) -> None:
        if key in self.open[-1]:
            raise FileError("An object of the file has the same key twice.")
        # Taken at once, so that the second one of a name is seen.
        self.open[-1][key] = None
        self.keys[-1] = key
        self.size += len(key)

    def _start(self, container: dict[str, Any] | list[Any]) -> None:
        if len(self.open) >= DEPTH_MAX:
            raise FileError("The file is nested too deeply.")
        self.open.append(container)
        self.keys.append(None)
        self.size += 8

    def _add(self, value: Any) -> tuple[bool, Any]:
        if not self.open:
            self.size = 0
            return True, value
        if isinstance(self.open[-1], list):
            self.open[-1].append(value)
        else:
            self.open[-1][self.keys[-1]] = value
        return False, None


def entries(file: IO[bytes]) -> Iterator[Entry]:
    """Read the file once, in one pass; raises FileError where it is no export.

    Nothing of it stays in memory but the record that is being read.
    """
    events = ijson.basic_parse(file, use_float=True)
    try:
        yield from _entries(events)
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise FileError("This is not a JSON file, or a part of it is missing.") from error


def _entries(events: Iterator[tuple[str, Any]]) -> Iterator[Entry]:
    if next(events, ("", None))[0] != "start_map":
        raise FileError("This is not an export: it should be one JSON object.")
    seen: set[str] = set()
    for event, key in events:
        if event != "map_key":
            continue
        if key in seen:
            raise FileError("A part of the file is there twice.")
        seen.add(key)
        if key in SECTIONS:
            yield from _section(key, events)
        elif key in _HEAD:
            yield Entry(key, 0, _text(_value(events)))
        else:
            raise FileError("The file has a part that is no part of an export.")
    if missing := sorted({"format", "memories"} - seen):
        raise FileError("The file has no “%(part)s”.", part=missing[0])


def _section(name: str, events: Iterator[tuple[str, Any]]) -> Iterator[Entry]:
    if next(events)[0] != "start_array":
        raise FileError("“%(part)s” should be a list.", part=name)
    for number, (event, value) in enumerate(events, start=1):
        if event == "end_array":
            return
        building = _Building()
        is_whole, record = building.feed(event, value)
        while not is_whole:
            is_whole, record = building.feed(*next(events))
        yield Entry(name, number, _text(record))


def _value(events: Iterator[tuple[str, Any]]) -> object:
    building = _Building()
    is_whole, value = False, None
    while not is_whole:
        is_whole, value = building.feed(*next(events))
    return value


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
