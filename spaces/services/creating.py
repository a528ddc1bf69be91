"""Create a space and change what describes it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext, ngettext

from accounts.actors import Actor
from accounts.models import User
from brain.lib.errors import DomainError, NotFoundError
from brain.lib.sanitising import clean_line, clean_text
from spaces.models import Space
from spaces.retention import would_erase

RETENTION_MIN, RETENTION_MAX = 1, 3650

# What other apps do after a space was changed, with the space as it is now.
on_changing: list[Callable[[Space], None]] = []


class SpaceLimitError(DomainError):
    code = "space_limit"
    hint = "Delete one that you no longer need, or use one of those you have."


class SpaceNameError(DomainError):
    code = "space_name"


class RetentionError(DomainError):
    code = "bad_retention"


class WouldEraseError(DomainError):
    """The retention that was chosen erases memories that are there now."""

    code = "would_erase"


@dataclass(frozen=True, slots=True)
class SpaceDetails:
    """What a person says of a space; `language` is a value of Space.Language.

    With `auto_redact_pii`, personal data is replaced in what is saved from then on. With
    `keeps_queries`, the ledger of reads notes what was searched for. With `retention_days`, what
    ended so long ago is erased for good.
    """

    name: str
    description: str = ""
    language: str = Space.Language.ENGLISH
    auto_redact_pii: bool = False
    keeps_queries: bool = True
    retention_days: int | None = None


def create_space(*, actor: Actor, details: SpaceDetails) -> Space:
    """Create a space of the actor, unless the account has as many as it may have."""
    details = _checked(details)
    with transaction.atomic():
        # Two creations at once must not both see the last free place.
        if User.objects.select_for_update().filter(pk=actor.user.pk).first() is None:
            raise NotFoundError("There is no such account.", hint="It was just deleted.")
        if Space.objects.filter(owner=actor.user).count() >= settings.SPACES_PER_ACCOUNT:
            limit = settings.SPACES_PER_ACCOUNT
            raise SpaceLimitError("An account has up to %(limit)d spaces.", limit=limit)
        return _saved(Space(owner=actor.user), details)


@transaction.atomic
def create_space_for(email: str, *, details: SpaceDetails) -> Space:
    """Create a space for whoever has this address, with the account when there is none yet."""
    user = User.objects.existing_or_new(email)
    return create_space(actor=Actor(user, "command"), details=details)


def change_space(*, space: Space, details: SpaceDetails, is_sure: bool = False) -> Space:
    """Rename or describe a space, or change what it keeps; its address stays.

    Raises WouldEraseError when a new retention erases what is there now, unless `is_sure`.
    """
    details = _checked(details)
    if not is_sure and details.retention_days != space.retention_days:
        _refuse_erasing(space, details.retention_days)
    with transaction.atomic():
        for react in on_changing:
            transaction.on_commit(partial(react, space))
        return _saved(space, details)


def _refuse_erasing(space: Space, days: int | None) -> None:
    if ended := would_erase(space, days):
        raise WouldEraseError(
            ngettext(
                "This erases %(number)d memory for good within a day.",
                "This erases %(number)d memories for good within a day.",
                ended,
            )
            % {"number": ended},
            hint=gettext("Say that you are sure, or choose more days."),
        )


def _checked(details: SpaceDetails) -> SpaceDetails:
    name = clean_line(details.name, limit=80, what="The name")
    if not name:
        raise SpaceNameError("A space needs a name.", hint="Write one, such as the project's.")
    description = clean_text(details.description, limit=1000, what="The description").text
    if details.language not in Space.Language.values:
        raise SpaceNameError("This language is not known.", hint="Choose en or pt.")
    days = details.retention_days
    if days is not None and not RETENTION_MIN <= days <= RETENTION_MAX:
        raise RetentionError(
            gettext("The number of days is out of range."),
            hint=gettext("Choose %(least)d to %(most)d days, or none to keep everything.")
            % {"least": RETENTION_MIN, "most": RETENTION_MAX},
        )
    return replace(details, name=name, description=description)


def _saved(space: Space, details: SpaceDetails) -> Space:
    space.name, space.description = details.name, details.description
    space.language, space.auto_redact_pii = details.language, details.auto_redact_pii
    space.keeps_queries, space.retention_days = details.keeps_queries, details.retention_days
    try:
        with transaction.atomic():
            space.save()
    except IntegrityError as error:
        raise SpaceNameError(
            "You already have a space of this name.", hint="Choose another name."
        ) from error
    return space
