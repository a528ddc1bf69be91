"""One request to an address that somebody else chose, held to what it may reach and how long.

The toolkit's own fetcher takes some inner addresses for public ones, and its time-out is one of
each read: a server that sends a byte now and then could hold it for hours.
"""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import SplitResult

from oauth2_provider.cimd import CIMDError

PORT = 443
# Ranges that lead inside although Python calls them global: IPv4-compatible addresses, a
# network's own NAT64 (RFC 8215), and the site-local ones of old (RFC 3879).
_INSIDE = [ipaddress.IPv6Network(each) for each in ("::/96", "64:ff9b:1::/48", "fec0::/10")]
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


@contextmanager
def fetched(url: SplitResult, *, seconds: float) -> Iterator[http.client.HTTPResponse]:
    """Ask for the document; everything together takes at most `seconds`.

    The name is resolved once, and the address that was checked is the one that is connected to.
    Raises CIMDError.
    """
    assert url.hostname
    if (url.port or 443) != PORT:
        raise CIMDError("a client document must be at the usual port of https")
    address = _public_address(url.hostname)
    connection = _Pinned(url.hostname, address, seconds=seconds)
    clock = threading.Timer(seconds, connection.cut)
    clock.daemon = True
    clock.start()
    try:
        path = url.path + (f"?{url.query}" if url.query else "")
        connection.request("GET", path, headers={"Accept": "application/json, application/*+json"})
        yield connection.getresponse()
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        raise CIMDError(f"the document could not be fetched ({type(error).__name__})") from error
    finally:
        clock.cancel()
        connection.leave()


def is_public(address: str) -> bool:
    """Tell whether the address is out in the internet, also when one hides inside another."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if any(ip in network for network in _INSIDE):
            return False
        if ip.teredo is not None:
            return all(is_public(str(part)) for part in ip.teredo)
        if hidden := ip.ipv4_mapped or ip.sixtofour:
            return is_public(str(hidden))
        if ip in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not ip.is_multicast


def _public_address(host: str) -> str:
    try:
        found = socket.getaddrinfo(host, PORT, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError) as error:
        raise CIMDError("the host of the document has no address") from error
    addresses = [str(answer[4][0]) for answer in found]
    # All of them: one inner address among others is no mistake of theirs.
    if not addresses or not all(map(is_public, addresses)):
        raise CIMDError("the host of the document is not in the internet")
    return addresses[0]


class _Pinned(http.client.HTTPSConnection):
    """Talks to one address under the name that its certificate must have."""

    def __init__(self, host: str, address: str, *, seconds: float) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(host, PORT, timeout=seconds, context=self._tls)
        self._address = address
        self._plain: socket.socket | None = None
        self._ends_at = time.monotonic() + seconds

    def connect(self) -> None:
        left = max(self._ends_at - time.monotonic(), 0.001)
        self._plain = socket.create_connection((self._address, PORT), timeout=left)
        # A copy keeps the socket within reach of `cut` while TLS is negotiated on the other.
        self.sock = self._tls.wrap_socket(self._plain.dup(), server_hostname=self.host)

    def cut(self) -> None:
        """End the connection under whoever still reads from it."""
        if self._plain is not None:
            with contextlib.suppress(OSError):
                self._plain.shutdown(socket.SHUT_RDWR)

    def leave(self) -> None:
        # Not `close`, which is called as soon as the head is there when the body ends the answer.
        self.close()
        if self._plain is not None:
            self._plain.close()
