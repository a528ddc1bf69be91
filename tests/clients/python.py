"""Python clients, each pinned in an environment of its own in `var/clients/`."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tests.clients.node import INSTALLS_WITHIN, ROOT


def environment_with(package: str, version: str) -> Path:
    """Install one pinned package and what it needs; return the folder of the commands.

    What is there is not asked for again, so after the first run nothing needs the registry.
    """
    wanted = f"{package}=={version}"
    folder = ROOT / f"{wanted}+python{sys.version_info.major}.{sys.version_info.minor}"
    if not folder.exists():
        _install(wanted, folder)
    return folder / "bin"


def version_in(commands: Path, package: str) -> str:
    """Return which version of the package the environment has."""
    (libraries,) = (commands.parent / "lib").glob("python*/site-packages")
    found = distributions(name=package, path=[str(libraries)])
    return next(iter(found)).version


def _install(wanted: str, folder: Path) -> None:
    # Beside it and then renamed: an interrupted installation is never taken for a whole one.
    unfinished = folder.with_name(f".{folder.name}.{os.getpid()}")
    python = unfinished / "bin" / "python"
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    try:
        subprocess.run([sys.executable, "-m", "venv", str(unfinished)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", *quiet, wanted],
            check=True,
            capture_output=True,
            text=True,
            timeout=INSTALLS_WITHIN,
        )
        if not folder.exists():
            unfinished.rename(folder)
    except subprocess.CalledProcessError as error:
        pytest.fail(f"pip could not install {wanted}:\n{error.stderr}", pytrace=False)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
