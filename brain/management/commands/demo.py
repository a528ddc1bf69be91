"""`manage.py demo [EMAIL]`: two made-up spaces, to look around in and to take pictures of."""

import json

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.actors import Actor
from accounts.models import User
from brain.lib.errors import DomainError
from mcp_gateway.demo import connected_agents
from memories.demo.story import Story, renovation, roastery
from memories.demo.telling import Teller
from spaces.models import Space
from spaces.services.closing import close_space
from spaces.services.creating import SpaceDetails, create_space


class Command(BaseCommand):
    help = (
        "Create two made-up spaces with months of history, one in English and one in Portuguese, "
        "for the account of this address."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", nargs="?", default="demo@example.org")
        parser.add_argument(
            "--rebuild", action="store_true", help="delete the two spaces first, if they are there"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: object, **options: object) -> None:
        user = User.objects.existing_or_new(str(options["email"]))
        stories = (roastery(), renovation())
        self._make_room(user, stories, is_rebuild=bool(options["rebuild"]))
        if not user.name:
            User.objects.filter(pk=user.pk).update(name="Maya")
        spaces = [self._told(user, story) for story in stories]
        if options["json"]:
            told = [{"id": str(space.pk), "name": space.name} for space in spaces]
            self.stdout.write(json.dumps({"email": user.email, "spaces": told}))
            return
        for space in spaces:
            self.stdout.write(f"{space.name}: {space.get_absolute_url()}")
        self.stdout.write(f"Sign in as {user.email} to look around.")

    def _make_room(self, user: User, stories: tuple[Story, ...], *, is_rebuild: bool) -> None:
        names = [story.name for story in stories]
        for space in Space.objects.filter(owner=user, name__in=names):
            if not is_rebuild:
                raise CommandError(
                    f"There is a space {space.name} already. Say --rebuild to delete it with "
                    "everything in it and make it anew."
                )
            close_space(space)

    def _told(self, user: User, story: Story) -> Space:
        details = SpaceDetails(story.name, story.description, language=story.language)
        try:
            space = create_space(actor=Actor(user, "command"), details=details)
        except DomainError as error:
            raise CommandError(error.sentence) from error
        now = timezone.now()
        Teller(space, story, connected_agents(space, now=now)).tell(now=now)
        return space
