"""Make an API key from the command line, for a program without a browser."""

import argparse
import json
from datetime import datetime, timedelta
from typing import TypedDict, Unpack
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError
from mcp_gateway.scopes import ALL, READ
from mcp_gateway.services.api_keys import CreatedKey, KeyDetails, create_api_key
from spaces.models import Space


class Options(TypedDict):
    """What the command line says."""

    space: str
    scope: list[str] | None
    label: str
    expires_in_days: int | None
    json: bool


class Command(BaseCommand):
    help = "Makes a key for one space and prints it once. Send it as 'Authorization: Bearer KEY'."
    requires_migrations_checks = False

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("space", metavar="SPACE", help="The id of the space.")
        parser.add_argument(
            "--scope",
            action="append",
            metavar="SCOPE",
            help=f"What the key may do: {' or '.join(ALL)}; repeat it for both. Without it the "
            f"key can only read ({READ}), which harms nothing when it leaks into a log.",
        )
        parser.add_argument("--label", default="", help="What it is for; the history shows it.")
        parser.add_argument("--expires-in-days", type=int, metavar="N", help="Else it stays valid.")
        parser.add_argument("--json", action="store_true", help="Print one JSON object only.")

    def handle(self, *_args: object, **options: Unpack[Options]) -> None:
        space = _space(options["space"])
        actor = Actor(space.owner, "command")
        details = KeyDetails(
            scopes=options["scope"] or [READ],
            label=options["label"],
            expires_at=_expiry(options["expires_in_days"]),
        )
        try:
            created = create_api_key(space=space, actor=actor, details=details)
        except DomainError as error:
            raise CommandError(error.sentence) from error
        self._print(created, space=space, as_json=options["json"])

    def _print(self, created: CreatedKey, *, space: Space, as_json: bool) -> None:
        key, url = created.key, space.mcp_url
        if as_json:
            self.stdout.write(json.dumps({"id": str(key.pk), "url": url, "key": created.secret}))
            return
        self.stdout.write(f"Key     {created.secret}")
        self.stdout.write(f"Address {url}")
        self.stdout.write(f"May     {', '.join(key.scopes)}")
        self.stdout.write("It is stored only as a hash: copy it now, it is never shown again.")


def _space(text: str) -> Space:
    try:
        return Space.objects.select_related("owner").get(pk=UUID(text))
    except (ValueError, Space.DoesNotExist) as error:
        raise CommandError("There is no such space. Its id is the end of its address.") from error


def _expiry(days: int | None) -> datetime | None:
    return None if days is None else timezone.now() + timedelta(days=days)
