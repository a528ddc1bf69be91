"""Remembers which migrations the embedded database has, so that a start can skip the question.

Asking Django costs more than a second, at each start; this asks the files and one query.
"""

import hashlib
import importlib.util
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import psycopg
from django.conf import settings

from brain.embedded.addresses import connect_database


def is_migrated() -> bool:
    """Tell whether neither migrations nor database changed since `remember_migrated`."""
    try:
        remembered = _file().read_text()
    except FileNotFoundError:
        return False
    return remembered == _state() != ""


def remember_migrated() -> None:
    """Note that everything is applied now."""
    _file().write_text(_state())


def _file() -> Path:
    return Path(settings.DATA_DIR) / "migrated"


def _state() -> str:
    """Return what identifies the migrations there are and those applied; "" if unsure."""
    try:
        with connect_database(settings.DATABASES["default"]) as connection:
            applied = connection.execute("select count(*), max(id) from django_migrations")
            digest = hashlib.sha256(str(applied.fetchone()).encode())
        for each in _migration_files():
            digest.update(each.name.encode() + each.read_bytes())
    except (psycopg.Error, LookupError):
        return ""
    return digest.hexdigest()


def _migration_files() -> Iterator[Path]:
    for entry in settings.INSTALLED_APPS:
        package, *inside = _module_of(entry).split(".")
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise LookupError(entry)
        folder = Path(next(iter(spec.submodule_search_locations))).joinpath(*inside)
        if not folder.is_dir():
            raise LookupError(entry)
        yield from sorted(folder.glob("migrations/*.py"))


def _module_of(entry: str) -> str:
    """Return the app's module; an entry may name the class that configures the app instead."""
    module, _, name = entry.rpartition(".")
    return str(getattr(import_module(module), name).name) if name[:1].isupper() else entry
