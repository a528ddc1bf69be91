"""Create a space and change what describes it."""

from dataclasses import dataclass, replace

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.actors import Actor
from accounts.models import User
from brain.lib.errors import DomainError, NotFoundError
from brain.lib.sanitising import clean_line, clean_text
from spaces.models import Space


class SpaceLimitError(DomainError):
    code = "space_limit"
    hint = "Delete one that you no longer need, or use one of those you have."


class SpaceNameError(DomainError):
    code = "space_name"


@dataclass(frozen=True, slots=True)
class SpaceDetails:
    """What a person says of a space; `language` is a value of Space.Language.

    With `auto_redact_pii`, personal data is replaced in what is saved from then on.
    """

    name: str
    description: str = ""
    language: str = Space.Language.ENGLISH
    auto_redact_pii: bool = False


def create_space(*, actor: Actor, details: SpaceDetails) -> Space:
    """Create a space of the actor, unless the account has as many as it may have."""
    details = _checked(details)
    with transaction.atomic():
        # Two creations at once must not both see the last free place.
        if User.objects.select_for_update().filter(pk=actor.user.pk).first() is None:
            raise NotFoundError("There is no such account.", hint="It was just deleted.")
        if Space.objects.filter(owner=actor.user).count() >= settings.SPACES_PER_ACCOUNT:
            limit = settings.SPACES_PER_ACCOUNT
            raise SpaceLimitError(f"An account has up to {limit} spaces.")
        return _saved(Space(owner=actor.user), details)


@transaction.atomic
def create_space_for(email: str, *, details: SpaceDetails) -> Space:
    """Create a space for whoever has this address, with the account when there is none yet."""
    user = User.objects.existing_or_new(email)
    return create_space(actor=Actor(user, "command"), details=details)


def change_space(*, space: Space, details: SpaceDetails) -> Space:
    """Rename or describe a space; its address stays."""
    with transaction.atomic():
        return _saved(space, _checked(details))


def _checked(details: SpaceDetails) -> SpaceDetails:
    name = clean_line(details.name, limit=80, what="The name")
    if not name:
        raise SpaceNameError("A space needs a name.", hint="Write one, such as the project's.")
    description = clean_text(details.description, limit=1000, what="The description").text
    if details.language not in Space.Language.values:
        raise SpaceNameError("This language is not known.", hint="Choose en or pt.")
    return replace(details, name=name, description=description)


def _saved(space: Space, details: SpaceDetails) -> Space:
    space.name, space.description = details.name, details.description
    space.language, space.auto_redact_pii = details.language, details.auto_redact_pii
    try:
        with transaction.atomic():
            space.save()
    except IntegrityError as error:
        raise SpaceNameError(
            "You already have a space of this name.", hint="Choose another name."
        ) from error
    return space
