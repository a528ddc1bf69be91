"""What a server says when it cannot start."""

import os
import subprocess
import sys
from pathlib import Path

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
