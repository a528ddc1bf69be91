"""Requests that no browser sends, over real sockets to the started product."""

import contextlib
import re
import socket
from pathlib import Path

import httpx
import pytest
from django.conf import settings

from tests.journeys.product import Product
from tests.mcp_gateway.clients import POST_HEADERS, rpc
from tests.tally import Tally

pytestmark = pytest.mark.product

SPACE = "00000000-0000-4000-8000-000000000000"


def raw(product: Product, request: bytes) -> bytes:
    """Send bytes as they are and return all that comes back until the server has said it all."""
    with socket.create_connection(("127.0.0.1", product.port), timeout=20) as client:
        client.sendall(request)
        answer = b""
        with contextlib.suppress(TimeoutError):
            while part := client.recv(65536):
                answer += part
                # What keeps the connection open says nothing more.
                client.settimeout(1)
    return answer


def statuses(answer: bytes) -> list[int]:
    return [int(found) for found in re.findall(rb"HTTP/1\.1 (\d{3})", answer)]


TRAVERSALS = [
    "/static/../brain/settings.py", "/static/..%2f..%2fbrain/settings.py", "/static/%2e%2e/%2e%2e/manage.py",
    "/static/....//....//manage.py", "/static/..\\..\\manage.py", "/static/..%5c..%5cmanage.py",
    "/static//etc/passwd", "/static/brain/../../../brain/settings.py", "/static/%252e%252e/manage.py",
    "/static/brain/css/%00", "/static/..%c0%afmanage.py", "/static/~root/.ssh/id_rsa", "/static/",
    "/static/brain/", "/static/brain/css/../css/../../../../settings.py", "/.env", "/.git/config",
    "/manage.py", "/secrets.json", "/var/", "/static/brain/js/..;/..;/settings.py", "//etc/passwd",
    "/static/admin/../../brain/settings.py", "/static/file:///etc/passwd",
]  # fmt: skip


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out_of_the_static_files(product: Product, path: str) -> None:
    answer = raw(
        product, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
    )

    assert statuses(answer)[0] in {301, 302, 400, 404}, answer[:100]
    for secret in (b"INSTALLED_APPS", b"root:", b"brain_owner", b"[core]", b"DJANGO_SETTINGS"):
        assert secret not in answer


HOSTS = ["evil.example", "127.0.0.1@evil.example", "evil.example:80", "127.0.0.1.evil.example",
         "localhost.evil.example", "", "a b", "[::1", "*", "127.0.0.1/evil",
         "127.0.0.1,evil.example", "127.0.0.1\x00", "xn--80ak6aa92e.com"]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS, ids=ascii)
@pytest.mark.parametrize(
    "path", ["/sign-in/", f"/mcp/{SPACE}", "/.well-known/oauth-authorization-server"]
)
def test_a_host_that_is_not_ours_is_served_nothing(product: Product, host: str, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"

    answer = raw(product, request.encode())

    assert statuses(answer)[0] in {400, 421}, answer[:200]
    assert b"evil" not in answer


FORWARDED = {
    "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", "x-forwarded-for": "10.0.0.1",
    "forwarded": "host=evil.example;proto=https", "x-original-url": "/admin/", "x-rewrite-url": "/admin/",
    "x-http-method-override": "DELETE", "x-method-override": "POST", "x-real-ip": "10.0.0.1",
    "x-forwarded-prefix": "/evil", "x-script-name": "/evil", "x-wsgi-script-name": "/evil",
}  # fmt: skip


@pytest.mark.parametrize("name", FORWARDED)
def test_no_header_of_a_proxy_is_believed_from_anybody(product: Product, name: str) -> None:
    plain = httpx.get(f"{product.url}/.well-known/oauth-authorization-server")
    answer = httpx.get(
        f"{product.url}/.well-known/oauth-authorization-server", headers={name: FORWARDED[name]}
    )
    page = httpx.get(f"{product.url}/", headers={name: FORWARDED[name]})

    assert answer.json() == plain.json()
    assert page.status_code == 302
    assert page.headers["location"] == "/sign-in/?next=/"


SMUGGLED = b"GET /admin/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SMUGGLING = {
    "length and chunks": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks in disguise": b"Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n",
    "chunks twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "chunks with a tab": b"Transfer-Encoding:\tchunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    "a blank before the colon": b"Transfer-Encoding : chunked\r\nContent-Length: 0\r\n\r\n",
    "two lengths": b"Content-Length: 0\r\nContent-Length: 44\r\n\r\n",
    "a signed length": b"Content-Length: +0\r\n\r\n",
    "a negative length": b"Content-Length: -1\r\n\r\n",
    "a length in hex": b"Content-Length: 0x10\r\n\r\n",
    "a length of words": b"Content-Length: many\r\n\r\n",
    "a length of two": b"Content-Length: 0, 44\r\n\r\n",
    "a folded header": b"X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
    "a bare line feed": b"X-A: b\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
    "a bare return": b"X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
    "a nul": b"X-A: a\x00b\r\nContent-Length: 0\r\n\r\n",
    "a huge chunk": b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
    "a chunk with words": b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "two hosts": b"Host: evil.example\r\nContent-Length: 0\r\n\r\n",
}


@pytest.mark.parametrize("what", SMUGGLING)
def test_a_request_with_two_readings_is_read_once_or_refused(product: Product, what: str) -> None:
    """What follows is either a request of its own or nothing: never one inside another's."""
    head = b"POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\n"

    answer = raw(product, head + SMUGGLING[what] + SMUGGLED)

    found = statuses(answer)
    assert len(found) <= 2
    assert all(status in {302, 400, 401, 403, 404, 405, 411, 415, 422, 501} for status in found), (
        found
    )
    assert b"Site administration" not in answer


METHODS = [
    "TRACE",
    "TRACK",
    "CONNECT",
    "PROPFIND",
    "DEBUG",
    "get",
    "G" * 5000,
    "GET\t",
    "PATCH",
    "LINK",
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: ascii(method[:8]))
def test_no_other_method_is_served(product: Product, method: str, tried: Tally) -> None:
    for path in (
        "/sign-in/",
        "/token",
        f"/mcp/{SPACE}",
        "/api/v1/me",
        "/static/brain/css/base.css",
    ):
        request = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=secret\r\nConnection: close\r\n\r\n"
        answer = raw(product, request.encode())
        tried.add()
        assert not statuses(answer) or statuses(answer)[0] in {400, 401, 403, 404, 405, 501}, path
        assert b"a=secret" not in answer


def test_headers_without_end_are_refused(product: Product, tried: Tally) -> None:
    for request in (
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-A: b\r\n" * 20_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: " + b"a" * 2_000_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 2_000_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x00" * 1000,
    ):  # fmt: skip
        try:
            answer = raw(product, request)
        except OSError:
            answer = b""
        tried.add()
        assert not statuses(answer) or statuses(answer)[0] in {302, 400, 404, 414, 431, 505}
    assert httpx.get(f"{product.url}/sign-in/").status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1.evil.example", "http://127.0.0.1:1@evil.example",
     "file://", "https://localhost.evil.example", "http://evil.example#127.0.0.1"],
)  # fmt: skip
def test_a_page_of_another_origin_neither_reads_nor_writes(product: Product, origin: str) -> None:
    mcp = httpx.post(
        f"{product.url}/mcp/{SPACE}",
        content=rpc("tools/list"),
        headers=POST_HEADERS | {"origin": origin},
    )
    form = httpx.post(
        f"{product.url}/sign-in/", data={"email": "x@example.org"}, headers={"origin": origin}
    )
    rest = httpx.get(f"{product.url}/api/v1/me", headers={"origin": origin})

    assert mcp.status_code == 403
    assert form.status_code == 403
    for answer in (form, rest):
        assert "access-control-allow-origin" not in answer.headers


def test_a_line_end_in_an_address_ends_up_in_no_header(product: Product, tried: Tally) -> None:
    for path in (
        "/sign-in/?next=/%0d%0aSet-Cookie:%20a=b", "/%0d%0aSet-Cookie:%20a=b", "/account?%0d%0aX-A:b",
        "/spaces/%0aX-A:b/", "/authorize?state=%0d%0aX-A:b&client_id=x", "/sign-in/code/?next=%E5%98%8AX-A:b",
    ):  # fmt: skip
        answer = httpx.get(product.url + path)
        tried.add()
        assert "a=b" not in answer.headers.get("set-cookie", "")
        assert "x-a" not in answer.headers


def test_answers_name_no_software_and_no_place_on_disk(product: Product, tried: Tally) -> None:
    for path in (
        "/",
        "/nothing",
        "/sign-in/",
        "/api/v1/nothing",
        f"/mcp/{SPACE}",
        "/static/none.css",
    ):
        answer = httpx.get(product.url + path)
        tried.add()
        assert "server" not in answer.headers
        assert "x-powered-by" not in answer.headers
        assert str(settings.BASE_DIR) not in answer.text
        assert str(product.root) not in answer.text
        assert "Traceback" not in answer.text
    assert Path(settings.BASE_DIR).exists()
