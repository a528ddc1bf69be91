import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import DataFolder, default_root, may_write
from brain.embedded.postgres import EmbeddedPostgres

READ_SECRETS = """
import sys; from pathlib import Path; from brain.embedded.folder import DataFolder
print(DataFolder(Path(sys.argv[1])).credentials().brain_app)
"""


def test_secrets_are_made_once_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")

    made = folder.credentials()

    assert folder.credentials() == made
    assert len({made.postgres, made.brain_owner, made.brain_app, made.secret_key}) == 4
    assert stat.S_IMODE(folder.secrets.stat().st_mode) == 0o600
    assert [each.name for each in folder.root.iterdir()] == ["secrets.json"]


def test_secrets_never_show_in_a_traceback(tmp_path: Path) -> None:
    made = DataFolder(tmp_path / "data").credentials()

    assert made.brain_app not in repr(made)


def test_many_first_starts_at_once_agree_on_the_secrets(
    tmp_path: Path, run_python: Callable[..., subprocess.Popen[str]]
) -> None:
    processes = [run_python(READ_SECRETS, tmp_path / "data") for _ in range(4)]

    answers = {process.communicate()[0].strip() for process in processes}

    assert answers == {DataFolder(tmp_path / "data").credentials().brain_app}


def test_lost_secrets_are_not_replaced_beside_a_database(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.pgdata.mkdir()

    with pytest.raises(EmbeddedError, match=r"restore the file from a backup"):
        folder.credentials()

    assert not folder.secrets.exists()


def test_unreadable_secrets_are_explained(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.secrets.write_text("{}")

    with pytest.raises(EmbeddedError, match=r"secrets.json can't be used"):
        folder.credentials()


def test_who_only_looks_makes_nothing(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    token = may_write.set(False)

    made = folder.credentials()

    may_write.reset(token)
    assert made.secret_key
    assert not folder.root.exists()


def test_a_new_folder_is_closed_to_others(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "deep" / "data")

    folder.create()

    # The user that PostgreSQL runs as when root starts it has to pass through.
    expected = 0o711 if os.geteuid() == 0 else 0o700
    assert stat.S_IMODE(folder.root.stat().st_mode) == expected


def test_an_existing_folder_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)

    DataFolder(tmp_path).create()

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_a_place_that_is_no_folder_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(EmbeddedError, match=r"Set BRAIN_DATA_DIR"):
        DataFolder(tmp_path / "file" / "data").create()


def test_sockets_move_when_the_path_is_too_long_for_them(tmp_path: Path) -> None:
    short, long = DataFolder(Path("/srv/brain")), DataFolder(tmp_path / ("x" * 90))

    assert short.run == Path("/srv/brain/run")
    assert short.valkey_socket == Path("/srv/brain/valkey/valkey.sock")
    assert len(os.fsencode(long.run / ".s.PGSQL.5432.lock")) < 100
    assert long.run.parent == Path("/tmp")  # noqa: S108
    assert long.run != long.valkey_socket.parent


def test_moved_sockets_lie_in_a_folder_that_nobody_else_can_make(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / ("x" * 90))
    folder.run.symlink_to(tmp_path)

    try:
        with pytest.raises(EmbeddedError, match=r"belongs to somebody else|BRAIN_DATA_DIR"):
            EmbeddedPostgres(folder).acquire()
    finally:
        folder.run.unlink()


@pytest.mark.parametrize(
    ("uid", "expected"), [(0, "/var/lib/agents-brain"), (7, "~/.local/share/agents-brain")]
)
def test_the_default_place_depends_on_who_starts_it(
    uid: int, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: uid)

    assert default_root() == Path(expected).expanduser()
