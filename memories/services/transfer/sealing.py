"""What waits in the database before the sanitiser has seen it: unreadable without the key.

A file may hold secrets until its records are cleaned, and no dump of the database may have them.
"""

import base64
import zlib
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.utils.crypto import salted_hmac

from memories.services.transfer.reading import FileError


def seal(data: bytes) -> bytes:
    """Return the data compressed and encrypted (Fernet: AES in CBC mode with an HMAC)."""
    token = _fernet(settings.SECRET_KEY).encrypt(zlib.compress(data, level=1))
    return base64.urlsafe_b64decode(token)


def unsealed(sealed: bytes) -> bytes:
    """Return what was sealed; raises FileError when the secret key is another one by now."""
    try:
        packed = _fernet(settings.SECRET_KEY).decrypt(base64.urlsafe_b64encode(sealed))
    except InvalidToken as error:
        raise FileError(
            "The file can't be read any more, because the key of this server has changed.",
            hint="Hand it in again.",
        ) from error
    return zlib.decompress(packed)


@lru_cache(maxsize=1)
def _fernet(secret_key: str) -> Fernet:
    derived = salted_hmac("memories.transfer", b"", secret=secret_key, algorithm="sha256")
    return Fernet(base64.urlsafe_b64encode(derived.digest()))
