"""A backup, what comes out of it in another place, and the end of the large space.

Import it only where Django is set up.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from accounts.actors import Actor
from bench.growth.measuring import heading, size_of, step
from brain.embedded.folder import DataFolder
from spaces.models import Space
from spaces.services.closing import delete_space


def print_backup(root: Path, file: Path) -> None:
    heading("step")
    step("backup", root, lambda: _manage(root, "backup", str(file)))
    cluster = size_of(DataFolder(root).pgdata)
    print(f"\nThe backup takes {file.stat().st_size / 1e9:.2f} GB, the cluster {cluster:.2f} GB "
          "with its log of changes.", flush=True)  # fmt: skip


def print_deletion(root: Path, space_id: UUID) -> None:
    """Delete the space as its owner does."""
    space = Space.objects.select_related("owner").get(pk=space_id)
    actor = Actor(space.owner, "command")
    heading("step")
    step(
        "deleting the large space",
        root,
        lambda: delete_space(space=space, actor=actor, typed_name=space.name),
    )


def print_restore(place: Path, file: Path) -> None:
    heading("step")
    step("restore", place, lambda: _manage(place, "restore", str(file)))
    cluster = size_of(DataFolder(place).pgdata)
    print(f"\nThe restored cluster takes {cluster:.2f} GB with its log of changes.", flush=True)


def exports(root: Path, space_ids: Sequence[UUID]) -> list[dict[str, object]]:
    """Return what each space remembers, as the product exports it, without the moment of it."""
    found = []
    for space_id in space_ids:
        export = json.loads(_manage(root, "export_space", str(space_id), "--events"))
        assert export.pop("exported_at")
        found.append(export)
    return found


def _manage(root: Path, *command: str) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "manage.py", *command],
        env=os.environ | {"BRAIN_DATA_DIR": str(root)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"manage.py {command[0]} failed: {done.stderr.strip()[-500:]}")
    return done.stdout
