"""Delete an account with everything that belongs to it."""

from collections.abc import Callable

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.addresses import EmailAddressError, canonical_address
from accounts.models import SignInCode, User
from brain.lib.errors import DomainError


class WrongAddressError(DomainError):
    code = "wrong_address"


# What the apps above keep for a person and must clear first; each adds its function at start.
on_closing: list[Callable[[User], None]] = []


def delete_account(*, user: User, typed_email: str) -> None:
    """Delete the account for good, with all spaces, browsers and connected apps.

    Raises WrongAddressError unless `typed_email` is the address of the account.
    """
    try:
        is_meant = canonical_address(typed_email) == user.email
    except EmailAddressError:
        is_meant = False
    if not is_meant:
        raise WrongAddressError(
            _("The typed address is not the one of this account."),
            hint=_("Type it exactly as it is shown."),
        )
    close_account(user)


@transaction.atomic
def close_account(user: User) -> None:
    """Delete the account without asking; for operators."""
    # A space created at this moment waits for this row, and then finds no owner.
    User.objects.select_for_update().filter(pk=user.pk).first()
    for clear in on_closing:
        clear(user)
    SignInCode.objects.filter(email=user.email).delete()
    _forget_in_log(user)
    user.delete()


def _forget_in_log(user: User) -> None:
    """Leave in the log of operators that something was done, and not whom it was done to."""
    lines = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    )
    lines.update(object_repr="", change_message="", object_id="")
