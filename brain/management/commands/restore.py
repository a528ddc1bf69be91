"""Bring a backup back into a place that holds nothing yet."""

from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from brain.embedded import locks
from brain.embedded.migrated import remember_migrated
from brain.management.dumps.programs import DumpError, server
from brain.management.dumps.restore import restore
from brain.management.owner import disconnect


class Command(BaseCommand):
    help = "Bring a backup back into an empty place, then bring its tables up to date."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_args: object, **options: object) -> None:
        source = options["file"]
        assert isinstance(source, Path)
        if settings.EMBEDDED_DATABASE and locks.is_held(settings.DATA_DIR / "up.lock"):
            raise CommandError("The product is running on this data folder. Stop it first.")
        # The pool's connections would hold up the change of databases.
        disconnect(connection)
        try:
            restore(server(), source=source, owner=settings.DATABASE_OWNER["USER"])
        except DumpError as error:
            raise CommandError(str(error)) from error
        # A backup of an earlier release has earlier tables.
        call_command("migrate", verbosity=0, interactive=False)
        if settings.EMBEDDED_DATABASE:
            remember_migrated()
        self.stdout.write(
            "Restored. Everybody signs in again unless BRAIN_SECRET_KEY is that of the backup."
        )
