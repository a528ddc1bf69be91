"""What a server says when it cannot start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings


def test_a_wrong_setting_stops_the_web_server_with_its_sentence_alone(tmp_path: Path) -> None:
    chosen = {"BRAIN_DATA_DIR": str(tmp_path / "data"), "BRAIN_EMBEDDER": "word2vec"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}

    server = subprocess.run(
        [sys.executable, "-m", "uvicorn", "brain.asgi:application", "--port=1"],
        cwd=settings.BASE_DIR,
        env=kept | chosen | {"DJANGO_SETTINGS_MODULE": "brain.settings"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert server.returncode == 1
    assert "There is no embedder 'word2vec'" in server.stderr
    assert "Traceback" not in server.stderr


def test_celery_starts_with_a_broker_of_ones_own(tmp_path: Path) -> None:
    """Its command line copies BROKER_URL to a variable that would be a mistake of a person."""
    chosen = {
        "BRAIN_DATA_DIR": str(tmp_path / "data"),
        "BROKER_URL": "redis://127.0.0.1:1",
        "DJANGO_SETTINGS_MODULE": "brain.settings",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}

    report = subprocess.run(
        [sys.executable, "-m", "celery", "--app=brain", "report"],
        cwd=settings.BASE_DIR,
        env=kept | chosen,
        capture_output=True,
        text=True,
        check=False,
    )

    assert report.returncode == 0, report.stderr
    assert "redis://127.0.0.1:1" in report.stdout


def test_a_broker_under_celerys_own_name_is_taken_for_the_mistake_that_it_is(
    tmp_path: Path,
) -> None:
    chosen = {
        "BRAIN_DATA_DIR": str(tmp_path / "data"),
        "CELERY_BROKER_URL": "redis://127.0.0.1:1",
        "DJANGO_SETTINGS_MODULE": "brain.settings",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}

    checked = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=settings.BASE_DIR,
        env=kept | chosen,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 1
    assert "CELERY_BROKER_URL is not read here. Did you mean BROKER_URL?" in checked.stderr


@pytest.mark.parametrize("is_wanted", [True, False])
def test_models_are_loaded_before_the_web_server_answers_only_if_that_is_wanted(
    tmp_path: Path, *, is_wanted: bool
) -> None:
    chosen = {
        "BRAIN_DATA_DIR": str(tmp_path / "data"),
        "BRAIN_EMBEDDER": "builtin-use",
        "BRAIN_WARM_UP": str(is_wanted).lower(),
        "DJANGO_SETTINGS_MODULE": "brain.settings",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}
    start = "import brain.asgi; from memories.embedders.registry import search_status as s; "

    started = subprocess.run(
        [sys.executable, "-c", f"{start} print(s().is_loaded)"],
        cwd=settings.BASE_DIR,
        env=kept | chosen,
        capture_output=True,
        text=True,
        check=True,
    )

    assert started.stdout.split() == [str(is_wanted)]
