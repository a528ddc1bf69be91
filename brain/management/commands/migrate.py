"""Django's migrate, run as the owner of the database."""

from django.conf import settings
from django.core.management.commands.migrate import Command as DjangoCommand
from django.db import connections

from brain.management.owner import as_owner, open_to_application


class Command(DjangoCommand):
    help = f"{DjangoCommand.help} Runs as the database's owner (DATABASE_OWNER_URL)."

    def handle(self, *args: object, **options: object) -> None:
        """Migrate as the owner, then open what there is now to the application."""
        alias = str(options["database"])
        connection = connections[alias]
        with as_owner(connection):
            super().handle(*args, **options)
            if not options["plan"] and not options["check_unapplied"]:
                open_to_application(connection, role=str(settings.DATABASES[alias]["USER"]))
