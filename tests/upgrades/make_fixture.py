"""Keep the data of this release for the tests of later ones.

    .venv/bin/python -m tests.upgrades.make_fixture 0.1.0

Run it once when a release is made, and commit the folder that it writes. What a release wrote is
never made anew: an earlier fixture stays as it is, or it proves nothing.
"""

import json
import lzma
import sys
from pathlib import Path
from typing import Any

import django

from tests.cluster import forget_environment

FIXTURES = Path(__file__).parent / "fixtures"
LARGEST = 200_000
# Nothing listens there: addresses of spaces, and so tokens, carry it.
PORT = 8279
TELL = "from tests.upgrades.story import tell; tell()"
SPACES = """
import json
from spaces.models import Space
print(json.dumps([str(pk) for pk in Space.objects.order_by("name").values_list("pk", flat=True)]))
"""


def make(version: str) -> Path:
    """Write `fixtures/<version>` and return it."""
    from tests.places import a_place  # noqa: PLC0415  reads settings, which exist only by then

    target = FIXTURES / version
    target.mkdir(parents=True)
    with a_place() as folder:
        _run(folder, "migrate", "--verbosity=0")
        _run(folder, "shell", "-v", "0", "--no-imports", "-c", TELL)
        backup = folder / "brain.dump"
        _run(folder, "backup", str(backup))
        # Its table of contents, most of a small backup, is plain text.
        (target / "brain.dump.xz").write_bytes(lzma.compress(backup.read_bytes()))
        for space in json.loads(_run(folder, "shell", "-v", "0", "--no-imports", "-c", SPACES)):
            export: dict[str, Any] = json.loads(_run(folder, "export_space", space))
            text = json.dumps(export, indent=1, ensure_ascii=False, sort_keys=True)
            (target / f"{space}.json").write_text(f"{text}\n")
        _write_counts(folder, target)
    size = sum(each.stat().st_size for each in target.iterdir())
    assert size < LARGEST, f"{size} bytes are too many to keep"
    return target


def _write_counts(folder: Path, target: Path) -> None:
    from tests.upgrades.rows import row_counts  # noqa: PLC0415

    (target / "rows.json").write_text(json.dumps(row_counts(folder), indent=1) + "\n")


def _run(folder: Path, *command: str) -> str:
    from tests.places import manage  # noqa: PLC0415

    done = manage(folder, *command, port=PORT)
    assert done.returncode == 0, done.stderr
    return done.stdout


if __name__ == "__main__":
    forget_environment()
    django.setup()
    print(make(sys.argv[1]))  # noqa: T201
