"""Change how a person is addressed and how the pages look to them."""

import zoneinfo
from dataclasses import asdict, dataclass
from functools import cache

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import User
from brain.lib.errors import DomainError
from brain.lib.sanitising import clean_line


class ProfileError(DomainError):
    code = "profile"


@dataclass(frozen=True, slots=True)
class Profile:
    """What a person chooses; `language` is one of settings.LANGUAGES, `theme` of User.Theme."""

    name: str
    language: str
    time_zone: str
    theme: str
    has_shortcuts: bool


@cache
def time_zones() -> tuple[str, ...]:
    """Return the places that one may live in, in order, and UTC first."""
    places = (name for name in zoneinfo.available_timezones() if "/" in name)
    return ("UTC", *sorted(name for name in places if not name.startswith(("Etc/", "SystemV/"))))


def change_profile(*, user: User, profile: Profile) -> None:
    """Keep the choices; refuse what is not offered."""
    name = clean_line(profile.name, limit=80, what=_("The name"))
    if profile.language not in dict(settings.LANGUAGES):
        raise ProfileError(_("This language is not known."), hint=_("Choose one of the list."))
    if profile.time_zone not in time_zones():
        raise ProfileError(_("This time zone is not known."), hint=_("Choose one of the list."))
    if profile.theme not in User.Theme.values:
        raise ProfileError(_("This theme is not known."), hint=_("Choose one of the list."))
    chosen = asdict(profile) | {"name": name}
    User.objects.filter(pk=user.pk).update(**chosen)
    for field, value in chosen.items():
        setattr(user, field, value)
