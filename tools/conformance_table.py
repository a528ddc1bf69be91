"""Write what the conformance suite found into `docs/clients.md`, between two marks."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "var" / "clients" / "conformance.json"
PAGE = ROOT / "docs" / "clients.md"
BEGIN, END = "<!-- conformance: begin -->", "<!-- conformance: end -->"
_LISTS = ROOT / "tests" / "conformance"
_ENTRY = re.compile(r"  - ([\w:.-]+) # (.+)")
_RUNS = {
    "plain 2025-11-25": "2025-11-25, the product as it is",
    "plain 2026-07-28": "2026-07-28, the product as it is",
    "required 2025-11-25": "2025-11-25, with the suite's fixtures",
    "required 2026-07-28": "2026-07-28, with the suite's fixtures",
    "authorization": "The authorization server",
}
_INTRODUCTION = """\
The official suite, `@modelcontextprotocol/conformance` {version}, run by `make conformance`.

- *The product as it is*: started as its users start it, the scenarios that need nothing else.
- *With the suite's fixtures*: everything that the suite runs for the revision, against a second web
  process on the same database, in which one space also has the tools, prompts and resources that
  the suite calls (`tests/conformance/`; the product can't load them).
- *The authorization server*: the product, with a person who signs in and allows. It warns that
  client documents are not offered: they are on public https addresses only (`BRAIN_CIMD`).

A bearer token is added on the way, which the suite has no option for. A failure that is not listed
here, and a listed one that passes, both end the command with an error."""
Scenarios = Mapping[str, Mapping[str, int]]


def known_failures(name: str) -> dict[str, str]:
    """Return the scenarios or checks of one list, each with its reason."""
    text = (_LISTS / f"known_failures_{name}.yml").read_text()
    return dict(_ENTRY.findall(text))


def lines() -> Iterator[str]:
    """Return the section as Markdown, line by line."""
    kept = json.loads(RESULTS.read_text())
    yield _INTRODUCTION.format(version=kept["version"])
    yield ""
    yield "| run | scenarios | passed | nothing to check | known failures | checks passed, failed |"
    yield "|---|---|---|---|---|---|"
    for name, title in _RUNS.items():
        yield _row(title, kept["runs"].get(name, {}))
    for name, title in (
        ("2025-11-25", "Known failures of 2025-11-25"),
        ("2026-07-28", "Known failures of 2026-07-28"),
        ("plain", "Checks that only the runs with fixtures can do"),
    ):
        yield from ("", f"{title}:", "")
        yield from (f"- `{entry}`: {reason}" for entry, reason in known_failures(name).items())


def _row(title: str, scenarios: Scenarios) -> str:
    outcomes = Counter(map(_outcome, scenarios.values()))
    checks = sum((Counter(counts) for counts in scenarios.values()), Counter[str]())
    figures = (len(scenarios), outcomes["passed"], outcomes["nothing"], outcomes["failed"])
    both = f"{checks['success']}, {checks['failure']}"
    return f"| {title} | {' | '.join(map(str, figures))} | {both} |"


def _outcome(counts: Mapping[str, int]) -> str:
    # The suite takes a warning for a failure where nothing else was found.
    if counts.get("failure") or set(counts) == {"warning"}:
        return "failed"
    return "passed" if counts.get("success") else "nothing"


def main() -> int:
    """Replace what stands between the marks; 1 when there is nothing to write or nowhere to."""
    for needed in (RESULTS, PAGE):
        if not needed.exists():
            sys.stderr.write(f"There is no {needed.relative_to(ROOT)}. Run: make conformance\n")
            return 1
    before, begin, rest = PAGE.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.stderr.write(f"{PAGE.name} needs the two lines {BEGIN} and {END}.\n")
        return 1
    PAGE.write_text(before + "\n".join([BEGIN, *lines(), END]) + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
