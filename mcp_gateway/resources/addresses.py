"""The addresses of resources: `memory://Project.Auth` a path, `memory:///<id>` one memory."""

import base64
import binascii
from dataclasses import dataclass
from urllib.parse import quote, unquote
from uuid import UUID

from memories.queries.search import as_id

SCHEME = "memory"
PATH_TEMPLATE = "memory://{path}"
ID_TEMPLATE = "memory:///{id}"
MOST_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Address:
    """Exactly one of the two is set."""

    path: str = ""
    memory_id: UUID | None = None


def address_of_path(path: str) -> str:
    """Return the address of a path; letters outside of ASCII are escaped (RFC 3986, 2.5)."""
    return f"{SCHEME}://{quote(path, safe='')}"


def address_of_memory(memory_id: UUID) -> str:
    return f"{SCHEME}:///{memory_id}"


def read_address(uri: str) -> Address | None:
    """Return what the address names, or None when it cannot be one of ours.

    The part behind `//` is a path, which never begins with a slash; behind a third slash
    stands an id. So no path, whatever it looks like, can be taken for an id.
    """
    scheme, is_ours, rest = uri.partition("://")
    if not is_ours or scheme.lower() != SCHEME or len(uri) > MOST_CHARACTERS:
        return None
    rest = rest.removesuffix("/")
    if rest.startswith("/"):
        memory_id = as_id(unquote(rest[1:]))
        return Address(memory_id=memory_id) if memory_id else None
    return Address(path=unquote(rest)) if rest else None


def cursor_behind(key: str) -> str:
    """Return the cursor of the page that begins behind the path with this key."""
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


def key_before(cursor: str) -> str | None:
    """Return the key that a cursor was made of, or None when it is none of ours."""
    try:
        key = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    return key if key and "\0" not in key and cursor_behind(key) == cursor else None
