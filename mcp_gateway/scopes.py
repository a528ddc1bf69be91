"""What an agent may do: the two scopes of the product."""

from collections.abc import Iterable

READ = "auth:read"
WRITE = "auth:write"
ALL = (READ, WRITE)


def known(asked: Iterable[str]) -> list[str]:
    """Return the scopes among `asked` that exist here; writing includes reading.

    Clients also ask for scopes of other products (offline_access, openid, …). RFC 6749, 3.3
    lets a server leave those out, and refusing them would fail the whole connection.
    """
    wanted = set(asked)
    if WRITE in wanted:
        wanted.add(READ)
    return [scope for scope in ALL if scope in wanted]
