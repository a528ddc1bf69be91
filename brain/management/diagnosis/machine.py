"""Python, the server programs, and who runs them."""

import os
import platform
import sys
from collections.abc import Iterator

from django.conf import settings

from brain.embedded.accounts import server_account
from brain.embedded.binaries import package_folder, valkey_server
from brain.embedded.errors import EmbeddedError
from brain.management.diagnosis.findings import Finding, ok, problem

OLDEST_PYTHON = (3, 11)


def machine() -> Iterator[Finding]:
    """Look at Python and at the programs of the embedded services."""
    version = platform.python_version()
    if sys.version_info < OLDEST_PYTHON:
        yield problem("python", version, remedy="install Python 3.11 or newer")
    else:
        yield ok("python", version)
    if settings.EMBEDDED_DATABASE:
        yield from _embedded_postgres()
    if settings.EMBEDDED_BROKER:
        yield from _embedded_valkey()


def _embedded_postgres() -> Iterator[Finding]:
    try:
        package_folder("embedded_postgres", variable="DATABASE_URL")
        account = server_account()
    except EmbeddedError as error:
        yield problem("postgresql program", str(error), remedy="install requirements.txt again")
        return
    who = f"as '{account.name}', since this is root" if os.geteuid() == 0 else "as this user"
    yield ok("postgresql program", f"embedded, runs {who}")


def _embedded_valkey() -> Iterator[Finding]:
    try:
        valkey_server()
    except EmbeddedError as error:
        yield problem("valkey program", str(error), remedy="install requirements.txt again")
    else:
        yield ok("valkey program", "embedded")
