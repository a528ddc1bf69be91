"""`manage.py import_space SPACE FILE`: bring an export into a space."""

import json
import sys
import time
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.management.commands.export_space import space_of
from memories.models import ItemVerdict, Stage, Transfer
from memories.queries.transfers import Shown, shown_import
from memories.services.transfer.storing import confirm_import, drop_import, start_import
from memories.services.transfer.working import go_on
from spaces.models import Space


class Command(BaseCommand):
    help = (
        "Bring an export into a space: what is newer here stays, what was forgotten here stays "
        "forgotten. Doing it twice changes nothing."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("space", metavar="SPACE", help="the id of the space")
        parser.add_argument("file", metavar="FILE", help="the export; - for standard input")
        parser.add_argument(
            "--dry-run", action="store_true", help="only say what it would do; change nothing"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object only")

    def handle(
        self, *, space: str, file: str, dry_run: bool, json: bool, **_options: object
    ) -> None:
        found = space_of(space)
        actor = Actor(found.owner, "command")
        try:
            transfer = _started(found, actor, file)
            shown = _worked_through(found, transfer)
            if dry_run or shown.transfer.stage == Stage.FAILED:
                self._print(shown, as_json=json)
                drop_import(space=found, actor=actor, transfer_id=transfer.pk)
            else:
                confirm_import(space=found, actor=actor, transfer_id=transfer.pk)
                shown = _worked_through(found, transfer)
                self._print(shown, as_json=json)
        except DomainError as error:
            raise CommandError(error.sentence) from error
        if shown.transfer.stage == Stage.FAILED:
            raise CommandError(shown.transfer.problem)

    def _print(self, shown: Shown, *, as_json: bool) -> None:
        transfer = shown.transfer
        if as_json:
            said = {"stage": transfer.stage, **shown.counts, "redacted": transfer.redacted}
            self.stdout.write(json.dumps(said | {"left_out": transfer.left_out}))
            return
        for verdict, count in shown.chips:
            self.stdout.write(f"{count:>8}  {ItemVerdict(verdict).label}")
        for name, count in shown.redacted:
            self.stdout.write(f"{count:>8}  replaced by a marker: {name}")
        for listed in shown.items:
            if listed.item.verdict == ItemVerdict.REFUSED:
                where = listed.item.path or listed.item.memory_id or "unreadable"
                self.stdout.write(f"memory {listed.item.number} ({where}): {listed.item.reason}")
        if shown.after:
            self.stdout.write("… and more; the page of the import lists all of them.")


def _started(space: Space, actor: Actor, name: str) -> Transfer:
    if name == "-":
        return start_import(space=space, actor=actor, file=sys.stdin.buffer)
    try:
        with Path(name).open("rb") as file:
            return start_import(space=space, actor=actor, file=file, name=Path(name).name)
    except OSError as error:
        raise CommandError(f"The file can't be read: {error.strerror}.") from error


def _worked_through(space: Space, transfer: Transfer) -> Shown:
    """Carry the present stage to its end here, or wait for the worker that was quicker."""
    while True:
        while go_on(space, transfer.pk):
            pass
        shown = shown_import(space, transfer.pk)
        if shown is None:
            raise CommandError("The import was removed meanwhile.")
        if not shown.transfer.is_at_work:
            return shown
        # A worker of the running product is at it: its batch comes to an end, and ours goes on.
        time.sleep(0.2)
