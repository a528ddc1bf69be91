"""What the runs found, kept for `docs/clients.md`."""

import json
from collections import Counter

from tests.clients.node import ROOT
from tests.conformance.suite import VERSION, Run

FILE = ROOT / "conformance.json"


def keep(name: str, found: Run) -> None:
    """Add the scenarios of one run to those that were kept under its name."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    if kept.get("version") != VERSION:
        kept = {"version": VERSION, "runs": {}}
    scenarios = kept["runs"].setdefault(name, {})
    scenarios.update({scenario: dict(Counter(c)) for scenario, c in found.scenarios.items()})
    FILE.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n")
