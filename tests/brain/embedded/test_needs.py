"""Commands on an embedded installation that is stopped, or was never started."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from brain.embedded.cluster import server_is_running
from brain.embedded.folder import DataFolder
from tests.journeys.product import environment

pytestmark = pytest.mark.product


def begin(*command: str, folder: DataFolder, **variables: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR,
        env=environment(folder.root, 8119) | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def new(folder: DataFolder) -> DataFolder:
    """Return a data folder that isn't there yet, below one that is."""
    return DataFolder(folder.root / "data")


def test_two_commands_at_once_on_a_new_folder_both_work_and_stop_the_server(
    folder: DataFolder,
) -> None:
    started = [
        begin("create_space", f"needs{number}@example.org", "Needs", "--json", folder=folder)
        for number in range(2)
    ]

    answers = [process.communicate(timeout=120) for process in started]

    assert [process.returncode for process in started] == [0, 0], answers
    # Standard output holds the answer and nothing else.
    assert len({json.loads(out)["id"] for out, _ in answers}) == 2
    assert not server_is_running(folder)
    assert "Started the embedded PostgreSQL" in "".join(err for _, err in answers)


@pytest.mark.parametrize(
    "command",
    [
        ("help",),
        ("check",),
        ("migrate", "--help"),
        ("doctor",),
        ("calibrate_embedder", "builtin-use"),
    ],
)
def test_what_needs_no_database_makes_no_folder(command: tuple[str, ...], new: DataFolder) -> None:
    process = begin(*command, folder=new)

    _, err = process.communicate(timeout=60)

    assert process.returncode == 0, err
    assert not new.root.exists()


@pytest.mark.parametrize("command", ["doctor", "up", "create_space"])
def test_a_bad_setting_ends_in_a_sentence(command: str, folder: DataFolder) -> None:
    process = begin(command, folder=folder, BRAIN_PORT="eighty")

    out, err = process.communicate(timeout=60)

    assert process.returncode == 1
    assert "BRAIN_PORT must be a number" in err
    assert "Traceback" not in out + err


def test_a_stopped_installation_is_started_for_a_look_at_the_upgrade_and_stopped_again(
    folder: DataFolder,
) -> None:
    made = begin("create_space", "ana@example.org", "Work", folder=folder)
    made.communicate(timeout=120)

    looked = begin("doctor", "--upgrade", folder=folder, BRAIN_EMBEDDER="none")
    out, err = looked.communicate(timeout=120)

    assert (made.returncode, looked.returncode) == (0, 0), err
    assert "nothing is to be done" in out
    assert not server_is_running(folder)


def test_a_look_at_the_upgrade_of_nothing_makes_no_folder(new: DataFolder) -> None:
    process = begin("doctor", "--upgrade", folder=new)

    _, err = process.communicate(timeout=60)

    assert process.returncode == 0, err
    assert not new.root.exists()


def test_a_backup_is_taken_of_what_there_is_before_any_migration(
    folder: DataFolder, tmp_path: Path
) -> None:
    """A new release finds the tables of the one before: they are copied as they are."""
    target = tmp_path / "before.dump"

    process = begin("backup", str(target), folder=folder)
    _, err = process.communicate(timeout=120)

    assert process.returncode == 0, err
    assert target.stat().st_size
    assert not (folder.root / "migrated").exists()
