"""Runs the official suite and reads what it found."""

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.clients.node import install, node

PACKAGE, VERSION = "@modelcontextprotocol/conformance", "0.2.0-alpha.12"
_RAN_AT = re.compile(r"-\d{4}-\d\d-\d\dT.*")
REVISIONS = ("2025-11-25", "2026-07-28")
ENDS_WITHIN = 300


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the suite: its exit code, what it printed, and its checks by scenario."""

    code: int
    printed: str
    scenarios: Mapping[str, Mapping[str, int]]

    @property
    def total(self) -> Counter[str]:
        return sum((Counter(each) for each in self.scenarios.values()), Counter())


def command(*arguments: str) -> list[str]:
    return [str(install(PACKAGE, VERSION) / "conformance"), *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{node()}:{os.environ['PATH']}", "NO_COLOR": "1"}


def run(*arguments: str, into: Path) -> Run:
    """Run the suite with these arguments; its results go to a folder of this run."""
    done = subprocess.run(
        command(*arguments, "-o", str(into)),
        env=environment(),
        cwd=into.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=ENDS_WITHIN,
    )
    return Run(done.returncode, done.stdout + done.stderr, counted(into))


def counted(folder: Path) -> dict[str, Counter[str]]:
    """Return how many checks of each scenario ended how."""
    return dict(_counted(folder))


def _counted(folder: Path) -> Iterator[tuple[str, Counter[str]]]:
    for file in sorted(folder.glob("**/checks.json")):
        checks = json.loads(file.read_text())
        name = _RAN_AT.sub("", file.parent.name.removeprefix("server-"))
        yield name, Counter(check["status"].lower() for check in checks)
