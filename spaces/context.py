"""What every page of a signed-in person shows: their spaces."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from spaces.models import Space


def own_spaces(request: HttpRequest) -> dict[str, object]:
    """Offer the person's spaces to the switcher; asked for only when a template shows it."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return {}
    return {"own_spaces": SimpleLazyObject(lambda: list(Space.objects.of(user)))}
