"""Move everything into another PostgreSQL, such as from the embedded one to a managed one."""

import tempfile
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser

from brain.embedded import locks
from brain.env import database_from_url
from brain.management.dumps.backup import backup
from brain.management.dumps.programs import DumpError, server, server_of
from brain.management.dumps.restore import restore


class Command(BaseCommand):
    help = "Copy everything into the empty database at URL; the product must not be running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "url", help="postgresql://user:password@host/brain, as a superuser or with BYPASSRLS"
        )
        parser.add_argument(
            "--owner", default="brain_owner", help="the role there that owns the tables"
        )

    def handle(self, *_args: object, **options: object) -> None:
        # What is written meanwhile would stay behind.
        if settings.EMBEDDED_DATABASE and locks.is_held(settings.DATA_DIR / "up.lock"):
            raise CommandError("The product is running. Stop it first.")
        try:
            target = server_of(database_from_url("The address", str(options["url"])))
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "brain.dump"
                backup(server(), to=file)
                restore(target, source=file, owner=str(options["owner"]))
        except (DumpError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            "Copied. Set DATABASE_URL, DATABASE_OWNER_URL, BROKER_URL and BRAIN_SECRET_KEY (the "
            "one in secrets.json keeps everybody signed in), then run: manage.py migrate"
        )
