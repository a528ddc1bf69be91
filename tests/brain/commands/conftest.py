"""Places for the doctor to look at."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from brain.embedded.folder import DataFolder
from brain.management.diagnosis.findings import Finding
from tests.cluster import VARIABLE


def by_check(findings: Iterator[Finding]) -> dict[str, Finding]:
    return {each.check: each for each in findings}


@pytest.fixture
def cluster(settings: Settings) -> DataFolder:
    """Let the doctor look at the cluster of the tests."""
    folder = DataFolder(Path(os.environ[VARIABLE]))
    settings.FOLDER, settings.DATA_DIR = folder, folder.root
    return folder


@pytest.fixture
def empty(settings: Settings, tmp_path: Path) -> DataFolder:
    """Let the doctor look at a place where nothing was ever started."""
    folder = DataFolder(tmp_path / "data")
    settings.FOLDER, settings.DATA_DIR = folder, folder.root
    return folder
