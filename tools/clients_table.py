"""Write what `make clients` has seen of real clients into `docs/clients.md`, between two marks.

`docs/clients.json` keeps what the page says, so that a test can hold the page to it without Node.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "var" / "clients" / "results.json"
RECORD = ROOT / "docs" / "clients.json"
PAGE = ROOT / "docs" / "clients.md"
BEGIN, END = "<!-- clients: begin -->", "<!-- clients: end -->"
CLIENTS = (
    "Claude Code",
    "Codex",
    "Gemini CLI",
    "MCP Inspector",
    "mcp-remote",
    "mcporter",
    "TypeScript SDK 1.x",
    "TypeScript SDK 2.x",
    "fastmcp",
    "langchain-mcp-adapters",
    "openai-agents",
)
COLUMNS = {
    "version": "version",
    "sign_in": "signs in",
    "list": "lists tools",
    "call": "calls a tool",
    "refresh": "goes on after expiry",
    "revoke": "access taken away",
}
Rows = Mapping[str, Mapping[str, str]]


class IncompleteError(Exception):
    """Some client or cell has no result; the text says which, and what to run."""


def complete(rows: Rows) -> Rows:
    """Return the rows in the order of the page; raises IncompleteError for a blank one."""
    blank = [
        f"{client}: {title}"
        for client in CLIENTS
        for column, title in COLUMNS.items()
        if not rows.get(client, {}).get(column)
    ]
    if blank:
        raise IncompleteError(f"No result for {', '.join(blank)}. Run: make clients")
    if unknown := sorted(set(rows) - set(CLIENTS)):
        raise IncompleteError(f"Add {', '.join(unknown)} to CLIENTS in tools/clients_table.py.")
    return {client: rows[client] for client in CLIENTS}


def section(rows: Rows, *, seen_on: str) -> str:
    """Return what stands between the marks."""
    return "\n".join([BEGIN, *_lines(complete(rows), seen_on=seen_on), END])


def _lines(rows: Rows, *, seen_on: str) -> Iterator[str]:
    yield f"Seen on {seen_on}."
    yield ""
    yield f"| client | {' | '.join(COLUMNS.values())} |"
    yield f"|---{'|---' * len(COLUMNS)}|"
    for client, row in rows.items():
        yield f"| {client} | {' | '.join(row[column] for column in COLUMNS)} |"
    yield ""
    yield "What each does in its own way:"
    yield ""
    for client, row in rows.items():
        if notes := row.get("notes"):
            yield f"- **{client}**: {notes}"


def replaced(page: str, text: str) -> str:
    """Return the page with the text in the place of what stood between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise IncompleteError(f"{PAGE.name} needs the two lines {BEGIN} and {END}.")
    return before + text + after


def main() -> int:
    """Record the results and write the page; 1 with a sentence when that can't be done."""
    if not RESULTS.exists():
        sys.stderr.write("No client was driven here yet. Run: make clients\n")
        return 1
    seen = datetime.fromtimestamp(RESULTS.stat().st_mtime, UTC)
    try:
        rows = complete(json.loads(RESULTS.read_text()))
        page = replaced(PAGE.read_text(), section(rows, seen_on=f"{seen:%Y-%m-%d}"))
    except IncompleteError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    record = {"seen_on": f"{seen:%Y-%m-%d}", "clients": rows}
    RECORD.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    PAGE.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
