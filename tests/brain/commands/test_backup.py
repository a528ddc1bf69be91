"""A backup, and the same space out of it in another place."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from brain.embedded.folder import DataFolder
from tests import places
from tests.journeys.product import free_port
from tests.places import a_place

PORT = free_port()
SAVE = """
from accounts.actors import Actor
from memories.services.saving import Draft, save_memory
from spaces.models import Space

space = Space.objects.select_related("owner").get()
draft = Draft("We deploy on Fridays at noon.", kind="pointer", path="Work.Deploy")
save_memory(space=space, actor=Actor(space.owner, "command"), draft=draft)
"""


def manage(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return places.manage(folder, *command, port=PORT)


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path, str]]:
    """Return a data folder with one memory in one space, its backup, and the space's id."""
    with a_place() as folder:
        yield folder, *_filled(folder, tmp_path_factory)


def _filled(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    made = manage(folder, "create_space", "ana@example.org", "Work", "--json")
    assert made.returncode == 0, made.stderr
    saved = manage(folder, "shell", "--no-imports", "-c", SAVE)
    assert saved.returncode == 0, saved.stderr
    file = tmp_path_factory.mktemp("backups") / "brain.dump"
    done = manage(folder, "backup", str(file), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["bytes"] == file.stat().st_size
    return file, json.loads(made.stdout)["id"]


def test_only_its_owner_may_read_a_backup(backed_up: tuple[Path, Path, str]) -> None:
    _, file, _ = backed_up

    assert file.stat().st_mode & 0o077 == 0


def test_a_bad_file_changes_nothing_and_a_good_one_brings_everything_back(
    backed_up: tuple[Path, Path, str], tmp_path: Path
) -> None:
    folder, file, space = backed_up
    bad = tmp_path / "bad.dump"
    bad.write_text("not a backup")

    with a_place() as place:
        refused = manage(place, "restore", str(bad))
        restored = manage(place, "restore", str(file))
        printed = [manage(each, "export_space", space).stdout for each in (folder, place)]

    assert refused.returncode == 1
    assert "pg_restore failed" in refused.stderr
    assert restored.returncode == 0, restored.stderr
    exports = [json.loads(each) for each in printed]
    assert exports[0]["memories"]
    for export in exports:
        del export["exported_at"]
    assert exports[0] == exports[1]


def test_nothing_is_restored_over_somebodys_memories(backed_up: tuple[Path, Path, str]) -> None:
    folder, file, _ = backed_up

    done = manage(folder, "restore", str(file))

    assert done.returncode == 1
    assert "empty place" in done.stderr


def test_a_backup_is_never_replaced(backed_up: tuple[Path, Path, str]) -> None:
    folder, file, _ = backed_up
    before = file.read_bytes()

    done = manage(folder, "backup", str(file))

    assert done.returncode == 1
    assert "is there already" in done.stderr
    assert file.read_bytes() == before
    assert not file.with_name(f"{file.name}.part").exists()


def test_everything_moves_into_another_postgresql(backed_up: tuple[Path, Path, str]) -> None:
    folder, _, space = backed_up

    with a_place() as place:
        target = DataFolder(place)
        password = target.credentials().postgres
        url = f"postgresql://postgres:{password}@{quote(str(target.run), safe='')}/brain"
        moved = manage(folder, "migrate_data", url)
        printed = [manage(each, "export_space", space).stdout for each in (folder, place)]

    assert moved.returncode == 0, moved.stderr
    assert password not in moved.stdout + moved.stderr
    exports = [json.loads(each) for each in printed]
    assert exports[0]["memories"] == exports[1]["memories"] != []
