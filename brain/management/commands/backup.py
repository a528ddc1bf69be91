"""Write the whole database into one file."""

import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from brain.management.dumps.backup import backup
from brain.management.dumps.programs import DumpError, server


class Command(BaseCommand):
    help = "Write the whole database into FILE, as of one moment; the product may go on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: object, **options: object) -> None:
        target = options["file"]
        assert isinstance(target, Path)
        try:
            size = backup(server(), to=target)
        except DumpError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps({"file": str(target), "bytes": size}))
            return
        self.stdout.write(
            f"Wrote {target} ({size / 1e6:.1f} MB). It holds everything that people remembered: "
            "keep it as you keep the database."
        )
