"""A throw-away installation to measure on: real PostgreSQL and Valkey, durable as in production."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def throw_away(*, durable: bool = True, under: Path = Path("/tmp")) -> Iterator[Path]:  # noqa: S108
    """Start data services on a new folder, set Django up on them, and remove it all at the end.

    PostgreSQL's user must be able to pass through `under`.
    """
    from brain.embedded.folder import DataFolder  # noqa: PLC0415
    from brain.embedded.postgres import EmbeddedPostgres  # noqa: PLC0415
    from brain.embedded.valkey import EmbeddedValkey  # noqa: PLC0415

    root = Path(tempfile.mkdtemp(prefix="brain-bench-", dir=under))
    root.chmod(0o711)
    os.environ["BRAIN_DATA_DIR"] = str(root)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")
    folder = DataFolder(root)
    postgres, valkey = EmbeddedPostgres(folder, durable=durable), EmbeddedValkey(folder)
    postgres.acquire()
    try:
        valkey.start()
        _set_up()
        yield root
    finally:
        valkey.stop()
        postgres.release()
        shutil.rmtree(root, ignore_errors=True)


def _set_up() -> None:
    import django  # noqa: PLC0415

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0, interactive=False)
