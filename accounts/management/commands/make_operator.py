"""`manage.py make_operator EMAIL`: let somebody into Django admin, or let them in again."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.addresses import EmailAddressError
from accounts.services.operating import make_operator, remove_operator
from brain.lib.errors import DomainError


class Command(BaseCommand):
    help = (
        "Make the person an operator and print a code for setting up the second factor. Run it "
        "again when app and recovery codes are lost: what was set up before stops working."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address that the person signs in with")
        parser.add_argument(
            "--remove", action="store_true", help="take the rights and the second factor away"
        )

    def handle(self, *, email: str, remove: bool, **_options: object) -> None:
        try:
            self.stdout.write(_removed(email) if remove else _made(email))
        except EmailAddressError as error:
            raise CommandError("This is not an e-mail address that mail can be sent to.") from error
        except DomainError as error:
            raise CommandError(error.sentence) from error


def _removed(email: str) -> str:
    return f"{remove_operator(email).email} is no operator now and is signed out everywhere."


def _made(email: str) -> str:
    operator = make_operator(email)
    return (
        f"{operator.user.email} is an operator.\n"
        f"Set-up code: {operator.setup_code}\n"
        f"It works once, for {settings.SETUP_CODE_HOURS} hours. Hand it over by another way than "
        f"mail.\nThen sign in at {settings.PUBLIC_URL}/admin/ and set up the second factor there."
    )
