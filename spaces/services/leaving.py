"""What becomes of a person's spaces when the account is deleted."""

from accounts.models import User
from spaces.models import Space
from spaces.services.closing import close_space


def close_spaces_of(user: User) -> None:
    for space in Space.objects.of(user):
        close_space(space)
