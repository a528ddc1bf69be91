"""E-mail addresses in the one spelling under which an account is kept."""

import unicodedata

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from brain.lib.errors import DomainError

LONGEST_ADDRESS = 254  # RFC 5321, 4.5.3.1.3


class EmailAddressError(DomainError):
    code = "email_address"
    hint = "Write one address, such as ana@example.org."

    def __init__(self) -> None:
        super().__init__("This is not an e-mail address that mail can be sent to.")


def canonical_address(text: str) -> str:
    """Return the address trimmed, in lower case and in ASCII, as mail is sent to it.

    Two spellings that reach one mailbox become equal, and two that merely look or fold alike
    never do: what is not ASCII before the @ is refused (CVE-2019-19844), and the domain takes the
    form that the mail server looks up.
    """
    if len(text) > 2 * LONGEST_ADDRESS:
        raise EmailAddressError
    local, at, domain = unicodedata.normalize("NFKC", text).strip().rpartition("@")
    # Quoted local parts may carry anything, and nobody's mailbox needs them.
    if not at or not local.isascii() or '"' in local:
        raise EmailAddressError
    try:
        address = f"{local}@{domain.encode('idna').decode('ascii')}".lower()
        validate_email(address)
    except (UnicodeError, ValidationError) as error:
        raise EmailAddressError from error
    if len(address) > LONGEST_ADDRESS:
        raise EmailAddressError
    return address
