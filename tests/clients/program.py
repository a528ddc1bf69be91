"""A program of `scripts/`, which connects with a client library and is talked to line by line."""

import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pexpect

from tests.clients.place import Place
from tests.clients.terminal import AUTHORISE, Terminal, allow, plain

SCRIPTS = Path(__file__).parent / "scripts"
_ANSWER = r"=> (\{[^\r\n]*\})\r?\n"


@dataclass(frozen=True, slots=True)
class Program:
    """Answers each line with a JSON object; what it prints beside that is kept for failures."""

    child: "pexpect.spawn[str]"
    printed: io.StringIO

    def tell(self, line: str, *, place: Place | None = None) -> dict[str, Any]:
        """Say a line and return the answer; the owner of `place` signs in where it asks for it."""
        self.child.sendline(line)
        if self._waits() and place is not None:
            allow(place.person, self._match())
            assert not self._waits(), self._said()
        return self._answer()

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        return self.tell(f"call {tool} {json.dumps(arguments)}")

    def _waits(self) -> bool:
        """Tell whether it printed an address of the browser instead of an answer."""
        try:
            return self.child.expect([_ANSWER, AUTHORISE]) == 1
        except pexpect.ExceptionPexpect as error:
            raise AssertionError(f"It stopped short:\n{self._said()}") from error

    def _match(self) -> str:
        assert isinstance(self.child.match, re.Match)
        return self.child.match[1]

    def _answer(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._match())
        return answer

    def _said(self) -> str:
        return plain(self.printed.getvalue())


@contextmanager
def running(terminal: Terminal, *command: str) -> Iterator[Program]:
    """Start the program under a terminal, and end it afterwards."""
    child = terminal.spawn(*command)
    # Long lines are not cut at what a terminal's editor takes.
    child.setecho(state=False)
    child.logfile_read = printed = io.StringIO()
    program = Program(child, printed)
    try:
        assert not program._waits()
        yield program
    finally:
        child.close(force=True)
