"""`manage.py export_space SPACE`: everything a space remembers, as JSON."""

import os
import sys
import tempfile
from pathlib import Path
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memories.services.transfer.exporting import write_space
from spaces.models import Space


class Command(BaseCommand):
    help = "Write everything that a space remembers as JSON (docs/export-format.md)."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("space", metavar="SPACE", help="the id of the space")
        parser.add_argument("--events", action="store_true", help="with the activity log")
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="the file to write; else standard output"
        )

    def handle(self, *, space: str, events: bool, output: str | None, **_options: object) -> None:
        found = space_of(space)
        if output is None:
            write_space(found, sys.stdout.buffer, has_events=events)
            return
        try:
            _write(found, Path(output), has_events=events)
        except OSError as error:
            raise CommandError(f"The file can't be written: {error.strerror}.") from error
        self.stderr.write(f"Exported to {output}.")


def _write(space: Space, path: Path, *, has_events: bool) -> None:
    """Write beside the file first: whoever reads it never sees half of one."""
    # Readable by its owner only: memories are private.
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as out:
        try:
            write_space(space, out, has_events=has_events)
        except BaseException:
            Path(out.name).unlink()
            raise
    os.replace(out.name, path)  # noqa: PTH105  atomic


def space_of(text: str) -> Space:
    try:
        return Space.objects.select_related("owner").get(pk=UUID(text))
    except (ValueError, Space.DoesNotExist) as error:
        raise CommandError("There is no such space. Its id is the end of its address.") from error
