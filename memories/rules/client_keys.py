"""Names of apps that hold on one server only, carried to another one."""

import hashlib

_LIMIT = 80


def client_key_here(key: str, *, origin: str, here: str) -> str:
    """Return the key of an app in a file from `origin`, as it is told apart on the server `here`.

    "app:12" is another app on another server: there it becomes "from:<origin>:app:12", and
    what comes home gets its own key back.
    """
    if not key or origin == here:
        return key
    home = f"from:{_short(here)}:"
    if key.startswith(home):
        return key.removeprefix(home)
    return key if key.startswith("from:") else f"from:{_short(origin)}:{key}"[:_LIMIT]


def _short(origin: str) -> str:
    return hashlib.sha256(origin.encode()).hexdigest()[:12]
