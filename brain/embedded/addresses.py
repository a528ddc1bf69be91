"""Whether addresses are free or answer: asked before anything is started, and by the doctor."""

import errno
import socket
import time
from collections.abc import Mapping

import psycopg
import redis

from brain.embedded.errors import EmbeddedError

PATIENCE = 5


def refuse_taken_port(host: str, *, port: int, patience: float = 0) -> None:
    """Raise with what to do when nobody could listen on this port.

    With `patience`, wait so many seconds for one who is just leaving it.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            return _try_port(host, port)
        except EmbeddedError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.1)


def _try_port(host: str, port: int) -> None:
    reasons = {
        errno.EADDRINUSE: f"Port {port} is taken by another program. Stop it, or choose another "
        f"port: BRAIN_PORT={port % 65535 + 1}",
        errno.EACCES: f"This user may not listen on port {port}. Choose one above 1023 with "
        "BRAIN_PORT.",
        errno.EADDRNOTAVAIL: f"This machine has no address {host}. Set BRAIN_HOST to one of its "
        "own, such as 127.0.0.1, or to 0.0.0.0 for all.",
    }
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = found[0]
        with socket.socket(family, kind) as attempt:
            # As the web server does, so that a port just left counts as free.
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            attempt.bind(address)
    except socket.gaierror as error:
        raise EmbeddedError(f"BRAIN_HOST={host} is not an address: {error.strerror}.") from error
    except OSError as error:
        reason = reasons.get(error.errno or 0, f"Port {port} can't be used: {error.strerror}.")
        raise EmbeddedError(reason) from error


def port_answers(host: str, *, port: int) -> bool:
    """Tell whether somebody accepts connections there."""
    nearby = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    try:
        socket.create_connection((nearby, port), timeout=PATIENCE).close()
    except OSError:
        return False
    return True


def connect_database(database: Mapping[str, object]) -> psycopg.Connection[tuple[object, ...]]:
    """Open a plain connection with Django's settings of a database."""
    options = database["OPTIONS"]
    assert isinstance(options, Mapping)
    parameters = {name: str(value) for name, value in options.items() if name != "pool"}
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host"}
    for setting, name in {**names, "PORT": "port"}.items():
        if database[setting]:
            parameters[name] = str(database[setting])
    # Named one by one, a value can't end up as an option of the client.
    return psycopg.connect(
        psycopg.conninfo.make_conninfo("", connect_timeout=PATIENCE, **parameters),
        autocommit=True,
    )


def broker_answers(address: str) -> str:
    """Ping the broker; return "" when it answers, and else why not."""
    try:
        with redis.Redis.from_url(address, socket_connect_timeout=PATIENCE) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        return str(error)
    return ""
