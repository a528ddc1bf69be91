"""The settings: do they fit each other and the place this runs in."""

from collections.abc import Iterator

from django.conf import settings

from brain.management.diagnosis.findings import Finding, ok, problem

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
SHORTEST_KEY = 32


def configuration() -> Iterator[Finding]:
    """Look at the choices of this deployment."""
    yield _address()
    yield _debug()
    yield _secret_key()
    yield _mail()


def _address() -> Finding:
    listens_everywhere = settings.HOST not in LOOPBACK
    if settings.IS_LOCAL and listens_everywhere:
        return problem(
            "public address",
            f"{settings.PUBLIC_URL}, yet other machines can reach {settings.HOST}",
            remedy="set BRAIN_PUBLIC_URL to the address people use, or BRAIN_HOST=127.0.0.1",
        )
    if settings.IS_TLS and not settings.TRUSTED_PROXIES:
        return problem(
            "public address",
            f"{settings.PUBLIC_URL}: https ends at a proxy whose headers are not believed",
            remedy="set BRAIN_TRUSTED_PROXIES to the proxy's address",
        )
    return ok("public address", settings.PUBLIC_URL)


def _debug() -> Finding:
    if settings.DEBUG and settings.HOST not in LOOPBACK:
        return problem(
            "debug",
            "on, and other machines can read its pages",
            remedy="unset BRAIN_DEBUG, or set BRAIN_HOST=127.0.0.1",
        )
    return ok("debug", "on" if settings.DEBUG else "off")


def _secret_key() -> Finding:
    if len(settings.SECRET_KEY) < SHORTEST_KEY:
        return problem(
            "secret key",
            f"only {len(settings.SECRET_KEY)} characters",
            remedy="set BRAIN_SECRET_KEY to 32 random characters or more",
        )
    return ok("secret key", "long enough")


def _mail() -> Finding:
    if settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return ok("e-mail", f"through {settings.EMAIL_HOST}")
    if not settings.IS_LOCAL:
        return problem(
            "e-mail",
            "sign-in codes appear only in the terminal of the server",
            remedy="set BRAIN_SMTP_HOST",
        )
    return ok("e-mail", "sign-in codes appear in the terminal")
