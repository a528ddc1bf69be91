"""Node and the clients that come as npm packages, each pinned, in `var/clients/`."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR) / "var" / "clients"
NODE_VERSION = "24.22.3"
INSTALLS_WITHIN = 600
_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}


def node() -> Path:
    """Return the folder of Node's command; clients need a newer one than many systems have."""
    machine = _MACHINES.get(platform.machine())
    if platform.system() != "Linux" or machine is None:
        pytest.fail("Real clients are driven on Linux (x86_64 or aarch64) only.", pytrace=False)
    return install(f"node-linux-{machine}", NODE_VERSION)


def install(package: str, version: str, *more: str) -> Path:
    """Install one pinned npm package into a folder of its own, and return its commands' folder.

    `more` are packages ("name@version") that it needs beside it. What is there is not asked for
    again, so after the first run nothing needs the registry.
    """
    wanted = [f"{package}@{version}", *more]
    folder = ROOT / "+".join(wanted).replace("/", "_")
    if not folder.exists():
        _install(wanted, folder)
    return folder / "node_modules" / ".bin"


def _install(wanted: list[str], folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.fail("Real clients need npm once, to install them: apt install npm.", pytrace=False)
    # Beside it and then renamed: an interrupted installation is never taken for a whole one.
    unfinished = folder.with_name(f".{folder.name}.{os.getpid()}")
    quiet = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
    unfinished.mkdir(parents=True)
    try:
        subprocess.run(
            [npm, "install", "--prefix", str(unfinished), *quiet, *wanted],
            cwd=unfinished,
            check=True,
            timeout=INSTALLS_WITHIN,
        )
        if not folder.exists():
            unfinished.rename(folder)
    except subprocess.CalledProcessError:
        pytest.fail(f"npm could not install {' '.join(wanted)}.", pytrace=False)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
