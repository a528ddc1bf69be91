"""Say what is wrong with this installation and how to mend it."""

import json
import sys
from dataclasses import asdict

from django.core.management.base import BaseCommand, CommandParser

from brain.management.diagnosis.configuration import configuration
from brain.management.diagnosis.data import data
from brain.management.diagnosis.database import database
from brain.management.diagnosis.findings import Finding, Status
from brain.management.diagnosis.machine import machine
from brain.management.diagnosis.meaning import meaning
from brain.management.diagnosis.processes import processes
from brain.management.diagnosis.upgrade import upgrade, vectors

EVERYTHING = (machine, configuration, meaning, data, database, upgrade, processes)
AN_UPGRADE = (upgrade, vectors)


class Command(BaseCommand):
    help = "Say what is wrong and how to mend it; changes nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--upgrade",
            action="store_true",
            help="say only what bringing the data to this release will do; starts the embedded "
            "database for the look",
        )

    def handle(self, *_args: object, **options: object) -> None:
        """Print every finding; end with 1 when one of them is a problem."""
        looks = AN_UPGRADE if options["upgrade"] else EVERYTHING
        findings = [finding for look in looks for finding in look()]
        problems = [each for each in findings if each.status is Status.PROBLEM]
        if options["json"]:
            report = {"ok": not problems, "checks": [asdict(each) for each in findings]}
            self.stdout.write(json.dumps(report))
        else:
            self._print(findings, problems=len(problems))
        if problems:
            sys.exit(1)

    def _print(self, findings: list[Finding], *, problems: int) -> None:
        for each in findings:
            self.stdout.write(str(each))
        count = {0: "Nothing is wrong.", 1: "1 problem."}.get(problems, f"{problems} problems.")
        self.stdout.write(count)
