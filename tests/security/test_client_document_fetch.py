"""The one request that this server makes to an address somebody else chose (SSRF)."""

import contextlib
import gzip
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.utils import timezone
from oauth2_provider.cimd import CIMDError
from pytest_django import Settings
from pytest_socket import SocketConnectBlockedError

from mcp_gateway.models import Application
from mcp_gateway.oauth import fetching
from mcp_gateway.oauth.client_documents import ClientDocumentFetcher, Document
from spaces.models import Space
from tests.mcp_gateway.oauth.flow import App, browser_of
from tests.tally import Tally

HOST = "client.example"
# Private, loopback, link-local, metadata, shared, reserved; and each of them in disguise.
INSIDE = [
    "0.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "127.0.0.1", "127.255.255.254",
    "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1",
    "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "fe80::1", "fc00::1", "fd00:ec2::254", "fec0::1", "2001:db8::1", "100::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:7f00:1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::10.0.0.1", "2002:7f00:1::1",
    "2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:0:7f00:1::", "::127.0.0.1",
    "64:ff9b:1::7f00:1", "ff02::1", "224.0.0.1",
]  # fmt: skip
ADDRESSES = [
    "http://client.example/c", "HTTP://client.example/c", "ftp://client.example/c",
    "file:///etc/passwd", "gopher://client.example/c", "https://", "https:///c", "https://client.example",
    "https://user@client.example/c", "https://user:pw@client.example/c", "https://client.example/c#x",
    "https://client.example/a/../c", "https://client.example/./c", "https://client.example:99999/c",
    "https://client.example:abc/c", "https://client.example:8443/c", "https://client.example:22/c",
    "https://client.example:80/c", "https://client.example:0/c", "https://client.example:6379/c",
    "https://[::1]/c", "https://[::ffff:127.0.0.1]/c", "https://2130706433/c", "https://0x7f.1/c",
    "https://0177.0.0.1/c", "https://127.1/c", "https://localhost/c", "https://169.254.169.254/latest/",
    "https://client.example\r\nHost: inside/c", "https://client.example\t/c", "https://cl\x00ient/c",
]  # fmt: skip


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], list[str]]:
    """Let the resolver answer as an attacker's name server does, one address a question."""
    asked: list[str] = []

    def answer_with(answers: list[str]) -> list[str]:
        def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
            if host[0].isdecimal():
                given = host  # an address is its own answer, as everywhere
            else:
                given = answers[min(len(asked), len(answers) - 1)]
                asked.append(host)
            return [
                (family_of(each), socket.SOCK_STREAM, 6, "", (each, port)) for each in given.split()
            ]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return asked

    return answer_with


def family_of(address: str) -> int:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


@pytest.mark.parametrize("address", INSIDE)
def test_a_name_that_leads_inside_is_not_followed(
    names: Callable[[list[str]], list[str]], address: str
) -> None:
    names([address])

    with pytest.raises(CIMDError):
        ClientDocumentFetcher().fetch(f"https://{HOST}/c")


@pytest.mark.parametrize("address", INSIDE[:8])
def test_one_address_inside_among_others_is_enough(
    names: Callable[[list[str]], list[str]], address: str
) -> None:
    names([f"93.184.216.34 {address}"])

    with pytest.raises(CIMDError):
        ClientDocumentFetcher().fetch(f"https://{HOST}/c")


@pytest.mark.parametrize("address", ADDRESSES, ids=ascii)
def test_an_address_that_is_none_of_a_document_is_never_asked(
    names: Callable[[list[str]], list[str]], address: str
) -> None:
    """Nothing but https on its own port: this server is no scanner of other people's ports."""
    names(["127.0.0.1"])

    with pytest.raises(CIMDError):
        ClientDocumentFetcher().fetch(address)


def test_the_name_is_asked_once_and_the_checked_address_is_the_one_that_is_connected_to(
    names: Callable[[list[str]], list[str]],
) -> None:
    """DNS rebinding: public while it is checked, inside a moment later."""
    asked = names(["93.184.216.34", "127.0.0.1"])

    # The tests may connect to nothing outside: what they refuse names the address.
    with pytest.raises((SocketConnectBlockedError, UserWarning), match=r"93\.184\.216\.34"):
        ClientDocumentFetcher().fetch(f"https://{HOST}/c")

    assert asked == [HOST]


class HostileServer:
    """Answers each connection with what it was told, as slowly as it was told."""

    def __init__(self, certificate: Path) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.parts: list[bytes] = []
        self.pause = 0.0
        self.requests: list[bytes] = []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        while not self.is_over.is_set():
            with contextlib.suppress(OSError, ssl.SSLError):
                raw, _ = self.socket.accept()
                with raw, self.context.wrap_socket(raw, server_side=True) as client:
                    self.requests.append(client.recv(65536))
                    for part in self.parts:
                        client.sendall(part)
                        if self.is_over.wait(self.pause):
                            break

    def stop(self) -> None:
        self.is_over.set()
        self.socket.close()
        with contextlib.suppress(OSError), socket.socket() as last:
            last.connect(("127.0.0.1", self.port))
        self.thread.join(5)


def certificate_for(host: str, folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = timezone.now()
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{host}.pem"
    file.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return file


@pytest.fixture
def server(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    names: Callable[[list[str]], list[str]],
    settings: Settings,
) -> Iterator[HostileServer]:
    """Return a server that the fetcher takes for a public one with a good certificate."""
    certificate = certificate_for(HOST, tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    names(["127.0.0.1"])

    # Only here: the server of a test is on this machine.
    monkeypatch.setattr(fetching, "is_public", lambda address: address == "127.0.0.1")
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, "CIMD_FETCH_TIMEOUT_SECONDS": 1}
    running = HostileServer(certificate)
    monkeypatch.setattr(fetching, "PORT", running.port)
    yield running
    running.stop()


def http(
    body: bytes, *, status: str = "200 OK", kind: str = "application/json", more: str = ""
) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    return f"{head}{more}Connection: close\r\n\r\n".encode() + body


def document(**changes: object) -> bytes:
    usual: Document = {
        "client_id": f"https://{HOST}/c",
        "redirect_uris": [f"https://{HOST}/cb"],
        "token_endpoint_auth_method": "none",
    }
    return json.dumps(usual | changes).encode()


def fetch(server: HostileServer) -> Document:
    # Past our own check of the port, which the server of a test cannot have.
    found: tuple[Document, int] = ClientDocumentFetcher().document(
        f"https://{HOST}:{server.port}/c"
    )
    return found[0]


def test_a_good_document_is_read_so_that_the_refusals_mean_something(
    server: HostileServer,
) -> None:
    server.parts = [http(document())]

    assert fetch(server)["client_id"] == f"https://{HOST}/c"
    assert f"Host: {HOST}:{server.port}".encode() in server.requests[0]
    for secret in (b"Cookie", b"Authorization"):
        assert secret not in server.requests[0]


REFUSED: dict[str, list[bytes]] = {
    "a redirect inside": [
        http(b"", status="302 Found", more="Location: https://169.254.169.254/latest/\r\n")
    ],
    "a redirect to itself": [
        http(b"", status="301 Moved", more=f"Location: https://{HOST}/other\r\n")
    ],
    "an error with a document": [http(document(), status="500 Error")],
    "a page": [http(document(), kind="text/html")],
    "no type": [http(document(), kind="")],
    "no JSON": [http(b"<html>")],
    "a list": [http(b"[]")],
    "too large": [http(b" " * 6_000_000)],
    "too large in pieces": [
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        *([b"2000\r\n" + b" " * 0x2000 + b"\r\n"] * 200),
    ],
    "a bomb": [
        http(gzip.compress(b" " * 50_000_000), more="Content-Encoding: gzip\r\n"),
    ],
    "endless headers": [b"HTTP/1.1 200 OK\r\n", *([b"X: " + b"x" * 60_000 + b"\r\n"] * 120)],
    "no HTTP": [b"SSH-2.0-OpenSSH_9.6\r\n"],
    "nothing": [],
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_hostile_server_sends_is_refused_and_bounded(
    server: HostileServer, what: str
) -> None:
    server.parts = REFUSED[what]
    began = time.monotonic()

    with pytest.raises(CIMDError):
        fetch(server)

    assert time.monotonic() - began < 10


@pytest.mark.parametrize("what", ["headers", "body"])
def test_a_server_that_drips_is_left_after_the_time_of_the_whole_fetch(
    server: HostileServer, what: str
) -> None:
    """Slow loris the other way round: each byte comes in time, all of them never do."""
    whole = http(document())
    start = whole.index(b"\r\n\r\n") + 4 if what == "body" else 0
    server.parts = [whole[:start], *(whole[i : i + 1] for i in range(start, len(whole)))]
    server.pause = 0.05
    began = time.monotonic()

    with pytest.raises(CIMDError):
        fetch(server)

    assert time.monotonic() - began < 4


def test_a_server_without_the_right_certificate_is_not_heard(
    server: HostileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate_for("other.example", tmp_path)))
    server.parts = [http(document())]

    with pytest.raises(CIMDError):
        fetch(server)

    assert server.requests == []


HOSTILE_DOCUMENTS: list[dict[str, object]] = [
    {"client_id": "https://victim.example/c"},
    {"redirect_uris": ["javascript:alert(1)"]},
    {"redirect_uris": ["http://evil.example/cb"]},
    {"redirect_uris": ["https://a.example/\ud800"]},
    {"redirect_uris": [{}]},
    {"client_secret": "known"},
    {"token_endpoint_auth_method": "client_secret_post"},
    {"grant_types": ["client_credentials"]},
    {"client_name": {"a": 1}},
    {"redirect_uris": ["https://a.example/cb" + "x" * 4000]},
]


class Documents(ClientDocumentFetcher):
    """The documents of an attacker, as they would have been fetched."""

    sent: Document = {}

    def document(self, client_id: str) -> tuple[Document, int]:
        return {"client_id": client_id, "token_endpoint_auth_method": "none"} | self.sent, 3600


@pytest.mark.django_db
def test_hostile_documents_make_no_app_and_no_error(
    space: Space, settings: Settings, monkeypatch: pytest.MonkeyPatch, tried: Tally
) -> None:
    settings.OAUTH2_PROVIDER = {
        **settings.OAUTH2_PROVIDER, "CIMD_ENABLED": True, "CIMD_METADATA_FETCHER": Documents,
    }  # fmt: skip
    browser = browser_of(space.owner)

    for number, changes in enumerate(HOSTILE_DOCUMENTS):
        monkeypatch.setattr(
            Documents, "sent", {"redirect_uris": ["https://a.example/cb"]} | changes
        )
        app = App(f"https://evil{number}.example/c", "https://a.example/cb")
        page = browser.get(app.authorize_url(resource=space.mcp_url))
        tried.add()
        assert page.status_code == 400, changes
        assert not page.has_header("Location"), changes
    assert not Application.objects.exists()
