"""Who operates this installation: named on the server, never by asking for it on a page."""

from dataclasses import dataclass

from django.db import transaction

from accounts.addresses import canonical_address
from accounts.models import User
from accounts.services.browsers import sign_out_everywhere
from accounts.services.second_factor import forget_second_factor, new_setup_code
from brain.lib.errors import NotFoundError


@dataclass(frozen=True, slots=True)
class NewOperator:
    """An operator, and the code for the second factor, which nobody can read again later."""

    user: User
    setup_code: str


@transaction.atomic
def make_operator(email: str) -> NewOperator:
    """Let the person operate, making the account when there is none; a second time, start anew."""
    user = User.objects.existing_or_new(email)
    user.is_staff = user.is_superuser = user.is_active = True
    user.save(update_fields=["is_staff", "is_superuser", "is_active"])
    return NewOperator(user, new_setup_code(user))


@transaction.atomic
def remove_operator(email: str) -> User:
    """Take the rights away; the person keeps the account and their spaces."""
    user = User.objects.by_email(email)
    if user is None:
        raise NotFoundError(
            f"Nobody has the address {canonical_address(email)}.", hint="Check its spelling."
        )
    user.is_staff = user.is_superuser = False
    user.save(update_fields=["is_staff", "is_superuser"])
    user.groups.clear()
    user.user_permissions.clear()
    forget_second_factor(user)
    sign_out_everywhere(user=user)
    return user
