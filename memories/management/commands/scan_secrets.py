"""`manage.py scan_secrets [SPACE]`: what older rows still hold, and its redaction."""

import json
from collections.abc import Mapping
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.services.scanning import Finding, find_secrets, redact_secrets, secrets_in_details
from spaces.models import Space


class Command(BaseCommand):
    help = (
        "Find secrets in what was saved before a rule knew them. Prints ids, types and counts, "
        "never a value."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("space", nargs="?", type=UUID, help="id of a space; all without it")
        parser.add_argument(
            "--redact",
            action="store_true",
            help="put markers in their place: a new version of the present text, and earlier "
            "versions without the secrets",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a memory")

    def handle(self, *, space: UUID | None, **options: object) -> None:
        spaces = Space.objects.select_related("owner").order_by("pk")
        if space is not None:
            spaces = spaces.filter(pk=space)
            if not spaces.exists():
                raise CommandError("There is no such space.")
        total, left = 0, 0
        for each in spaces:
            if types := secrets_in_details(each):
                self.stderr.write(
                    f"space {each.pk}: its name or description holds {_kinds(types)}. "
                    "Save it again in its settings."
                )
            for finding in find_secrets(each):
                total += 1
                is_redacted = bool(options["redact"]) and self._redact(each, finding)
                left += not is_redacted
                self._tell(each, finding, is_redacted=is_redacted, as_json=bool(options["json"]))
        if not options["json"]:
            self.stdout.write(_summary(total, left))

    def _redact(self, space: Space, finding: Finding) -> bool:
        actor = Actor(space.owner, "command")
        try:
            redact_secrets(space=space, actor=actor, memory_id=finding.memory_id)
        except DomainError as error:
            self.stderr.write(f"{finding.memory_id}: {error.sentence}")
            return False
        return True

    def _tell(self, space: Space, finding: Finding, *, is_redacted: bool, as_json: bool) -> None:
        if as_json:
            line = {
                "space": str(space.pk),
                "memory": str(finding.memory_id),
                "types": finding.types,
                "redacted": is_redacted,
            }
            self.stdout.write(json.dumps(line))
            return
        done = "redacted" if is_redacted else "found"
        kinds = _kinds(finding.types)
        self.stdout.write(f"space {space.pk} memory {finding.memory_id}: {done} {kinds}")


def _kinds(types: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in sorted(types.items()))


def _summary(total: int, left: int) -> str:
    if not total:
        return "No secrets were found."
    if not left:
        return f"Redacted in {total} memories. Change these secrets: they were stored."
    return f"{left} memories hold secrets. Run it with --redact, and change these secrets."
