"""`manage.py create_space EMAIL NAME`: a space for a script, without a browser."""

import json

from django.core.management.base import BaseCommand, CommandError, CommandParser

from brain.lib.errors import DomainError
from spaces.services.creating import SpaceDetails, create_space_for


class Command(BaseCommand):
    help = "Create a space, and the account when the address has none yet."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address that its owner signs in with")
        parser.add_argument("name", help="what the space is called")
        parser.add_argument("--language", default="en", help="of the memories: en or pt")
        parser.add_argument(
            "--json", action="store_true", help='print {"id": …, "url": …} and nothing else'
        )

    def handle(self, *, email: str, name: str, **options: object) -> None:
        try:
            details = SpaceDetails(name, language=str(options["language"]))
            space = create_space_for(email, details=details)
        except DomainError as error:
            raise CommandError(error.sentence) from error
        if options["json"]:
            self.stdout.write(json.dumps({"id": str(space.pk), "url": space.mcp_url}))
            return
        self.stdout.write(f"Space {space.pk}\nAddress for agents: {space.mcp_url}")
