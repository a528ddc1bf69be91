"""What stops `up` before it starts anything; the product that runs is in commands/test_up.py."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from pytest_django import Settings

from brain.embedded import locks, welcome
from brain.embedded.folder import DataFolder
from brain.embedded.product import run_product


@pytest.fixture
def place(settings: Settings, tmp_path: Path) -> DataFolder:
    """Let `up` run on an empty folder and a free port."""
    folder = DataFolder(tmp_path / "data")
    settings.FOLDER, settings.DATA_DIR = folder, folder.root
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.PORT = int(probe.getsockname()[1])
    return folder


@pytest.fixture
def external(place: DataFolder, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the data services be somewhere else, where nobody answers."""
    settings.EMBEDDED_DATABASE = settings.EMBEDDED_BROKER = False
    settings.BROKER_URL = "redis://127.0.0.1:1"
    for name, value in (("HOST", "127.0.0.1"), ("PORT", "1"), ("NAME", "elsewhere")):
        monkeypatch.setitem(django_settings.DATABASES["default"], name, value)


@pytest.fixture
def running(place: DataFolder) -> Iterator[None]:
    place.create()
    lock = locks.open_lock(place.root / "up.lock")
    locks.try_exclusive(lock)
    yield
    os.close(lock)


def test_a_folder_in_use_is_refused(running: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_product() == 1

    assert "already running on" in capsys.readouterr().err


def test_a_broker_that_does_not_answer_is_named(
    external: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_product() == 1

    said = capsys.readouterr()
    assert "The broker of BROKER_URL doesn't answer" in said.err
    assert "broker    external (BROKER_URL)" in said.out
    assert "embedded" not in said.out


def test_a_database_that_does_not_answer_is_named(
    external: None, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.EMBEDDED_BROKER = True

    assert run_product() == 1

    said = capsys.readouterr()
    assert "The database of DATABASE_URL doesn't answer" in said.err
    assert "database  external: elsewhere on 127.0.0.1" in said.out


def test_it_says_where_sign_in_codes_appear(settings: Settings) -> None:
    assert "the code appears in this terminal" in welcome.ready(seconds=1)

    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"

    assert "the code comes by e-mail" in welcome.ready(seconds=1)
