"""What every answer says to browsers, and what the settings are in production."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings, settings
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from spaces.models import Space
from tests.factories import make_memory
from tests.operators import operator_browser

PRODUCTION = {
    "BRAIN_PUBLIC_URL": "https://brain.example.org",
    "BRAIN_TRUSTED_PROXIES": "10.0.0.1",
    "BRAIN_HSTS_SUBDOMAINS": "true",
    "DATABASE_URL": "postgresql://brain_app:unused@127.0.0.1:1/brain",
    "BROKER_URL": "redis://127.0.0.1:1",
    "BRAIN_EMBEDDER": "none",
    "BRAIN_DUPLICATES_EMBEDDER": "none",
    "DJANGO_SETTINGS_MODULE": "brain.settings",
}


def in_production(
    tmp_path: Path, *arguments: str, **more: str
) -> "subprocess.CompletedProcess[str]":
    """Run Python with the settings of a public installation, which connects to nothing."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    key = {"BRAIN_SECRET_KEY": "a long random text of production " * 3}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR,
        env=kept | PRODUCTION | key | {"BRAIN_DATA_DIR": str(tmp_path)} | more,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "more", [{}, {"BRAIN_HSTS_SUBDOMAINS": "false"}], ids=["all", "other-names-are-not-ours"]
)
def test_djangos_check_of_a_deployment_finds_nothing(tmp_path: Path, more: dict[str, str]) -> None:
    done = in_production(tmp_path, "manage.py", "check", "--deploy", "--fail-level=DEBUG", **more)

    assert (done.returncode, done.stderr) == (0, "")
    assert "no issues" in done.stdout


def test_in_production_cookies_are_bound_to_host_and_tls(tmp_path: Path) -> None:
    names = [
        "SESSION_COOKIE_NAME", "SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY",
        "SESSION_COOKIE_SAMESITE", "CSRF_COOKIE_NAME", "CSRF_COOKIE_SECURE",
        "CSRF_COOKIE_HTTPONLY", "SECURE_HSTS_SECONDS", "SECURE_SSL_REDIRECT", "DEBUG",
    ]  # fmt: skip
    program = (
        "import django, json; from django.conf import settings; django.setup(); "
        f"print(json.dumps([getattr(settings, name) for name in {names}]))"
    )

    done = in_production(tmp_path, "-c", program)

    assert json.loads(done.stdout) == [
        "__Host-brain_session", True, True, "Lax", "__Host-brain_csrf", True, True, 31536000, True,
        False,
    ]  # fmt: skip


def test_in_production_plain_http_is_sent_to_tls_which_browsers_then_remember(
    tmp_path: Path,
) -> None:
    program = (
        "import django; django.setup(); from django.test import Client; "
        "web = Client(headers={'host': 'brain.example.org'}); "
        "plain = web.get('/nowhere/'); print(plain.status_code, plain['Location']); "
        "secure = web.get('/api/v1/openapi.json', secure=True); "
        "print(secure.status_code, secure['Strict-Transport-Security'])"
    )

    done = in_production(tmp_path, "-c", program)

    assert done.stdout.splitlines() == [
        "301 https://brain.example.org/nowhere/",
        "200 max-age=31536000; includeSubDomains; preload",
    ], done.stderr


def test_on_this_machine_nothing_speaks_of_tls(client: Client) -> None:
    answer = client.get("/api/v1/openapi.json")

    assert "Strict-Transport-Security" not in answer


# --- Every answer --------------------------------------------------------------------------------


def directives(answer: HttpResponse) -> dict[str, list[str]]:
    """Return the answer's content security policy, taken apart."""
    parts = [part.split() for part in answer["Content-Security-Policy"].split(";")]
    return {part[0]: part[1:] for part in parts if part}


def check(answer: HttpResponse) -> None:
    """Assert what holds for every answer, whatever it is."""
    policy = directives(answer)
    assert policy["default-src"] == ["'none'"]
    assert policy["base-uri"] == ["'none'"]
    assert policy["frame-ancestors"] == ["'none'"]
    assert policy["style-src"] == ["'self'"]
    words = {word for values in policy.values() for word in values}
    assert not {word for word in words if "unsafe" in word or "*" in word or "http" in word}
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Cross-Origin-Opener-Policy" in answer
    _check_scripts(answer)
    if answer.streaming:
        # To its end, or the file behind a download stays open.
        assert list(answer)


def _check_scripts(answer: HttpResponse) -> None:
    if answer.streaming or not answer.get("Content-Type", "").startswith("text/html"):
        return
    text = answer.content.decode()
    allowed = directives(answer).get("script-src", [])
    scripts = re.findall(r"<script\b[^>]*>", text)
    for tag in scripts:
        assert " src=" in tag, "an inline script"
        nonce = re.search(r'nonce="([^"]+)"', tag)
        assert allowed == [f"'nonce-{nonce[1]}'" if nonce else "'self'"]
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text), "something inline"


def addresses(resolver: URLResolver | None = None, prefix: str = "/") -> list[str]:
    """Return every address there is, with its parameters as `<name>`."""
    found: list[str] = []
    for each in (resolver or get_resolver()).url_patterns:
        route = prefix + str(each.pattern).removeprefix("^").removesuffix(r"\Z").removesuffix("$")
        if isinstance(each, URLResolver):
            found += addresses(each, route)
        elif isinstance(each, URLPattern):
            found.append(route)
    return found


def filled(route: str, space: Space, memory: object) -> str:
    """Put the space and its memory where an address has parameters."""
    known = {"space_id": str(space.pk), "memory_id": str(memory)}

    def value(match: re.Match[str]) -> str:
        kind, _, name = match[1].rpartition(":")
        return known.get(name) or ("1" if kind == "int" else str(memory))

    return re.sub(r"<([^>]+)>", value, route)


ROUTES = [route for route in addresses() if not route.startswith("/admin/")]


def test_addresses_are_found() -> None:
    assert len(ROUTES) > 60
    assert any("memories/" in route for route in ROUTES)


def test_every_answer_to_a_person_is_strict(
    signed_in: Client, space: Space, subtests: pytest.Subtests
) -> None:
    memory = make_memory(space)

    for route in ROUTES:
        with subtests.test(route):
            check(signed_in.get(filled(route, space, memory.pk)))  # type: ignore[arg-type]


def test_every_answer_to_a_stranger_is_strict(
    client: Client, space: Space, subtests: pytest.Subtests
) -> None:
    for route in ROUTES:
        with subtests.test(route):
            check(client.post(filled(route, space, space.pk)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "path", ["/admin/", "/admin/accounts/user/", "/admin/mcp_gateway/application/"]
)
def test_the_pages_of_operators_are_strict(db: None, path: str) -> None:
    answer = operator_browser().get(path)

    assert answer.status_code == 200
    check(answer)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_a_failure_is_strict_and_says_nothing_of_itself(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "brain_" + "x" * 43

    def fail(*_arguments: object, **_more: object) -> None:
        raise RuntimeError(secret)

    monkeypatch.setattr("accounts.views.signing_in.request_code", fail)
    client.raise_request_exception = False

    answer = client.post("/sign-in/", {"email": "ana@example.org"})

    assert answer.status_code == 500
    assert secret not in answer.text
    check(answer)  # type: ignore[arg-type]


def test_each_answer_has_another_nonce(client: Client, db: None) -> None:
    nonces = {directives(client.get("/sign-in/"))["script-src"][0] for _number in range(3)}  # type: ignore[arg-type]

    assert len(nonces) == 3
    assert all(len(nonce) > 30 for nonce in nonces)


def test_what_a_person_sees_is_in_no_shared_cache(signed_in: Client, space: Space) -> None:
    make_memory(space)

    for path in ("/spaces/", f"/spaces/{space.pk}/memories/", "/account/"):
        directive = signed_in.get(path).get("Cache-Control", "")
        assert "private" in directive or "no-store" in directive, path


def test_signing_out_empties_the_browsers_cache(signed_in: Client) -> None:
    answer = signed_in.post("/sign-out/")

    assert answer["Clear-Site-Data"] == '"cache"'


@pytest.mark.parametrize("path", ["/sign-in/", "/authorize"])
def test_pages_of_the_oauth_flow_keep_the_window_that_opened_them(
    client: Client, db: None, path: str
) -> None:
    answer = client.get(path)

    assert answer["Cross-Origin-Opener-Policy"] == "unsafe-none"


def test_other_pages_let_no_window_reach_them(signed_in: Client) -> None:
    assert signed_in.get("/account/")["Cross-Origin-Opener-Policy"] == "same-origin"


def test_a_host_that_is_not_ours_gets_nothing(client: Client, settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]

    assert client.get("/sign-in/", headers={"host": "evil.example"}).status_code == 400
