"""What was seen of each client, for the matrix in `docs/clients.md`."""

import fcntl
import json

from tests.clients.node import ROOT

FILE = ROOT / "results.json"
YES = "yes"


def record(client: str, version: str, **columns: str) -> None:
    """Write what a run has shown of a client: `YES`, or a sentence that says why not.

    Columns are `sign_in`, `list`, `call`, `refresh`, `revoke` and `notes`. Those that are not
    named keep what an earlier test of this version wrote; another version begins anew.
    """
    FILE.parent.mkdir(parents=True, exist_ok=True)
    with FILE.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        rows: dict[str, dict[str, str]] = json.loads(file.read() or "{}")
        before = rows.get(client, {})
        kept = before if before.get("version") == version else {}
        rows[client] = {**kept, "version": version, **columns}
        file.truncate(0)
        file.write(json.dumps(rows, indent=2, sort_keys=True) + "\n")
