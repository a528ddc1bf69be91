"""The command lines of the product's own processes."""

import sys

from django.conf import settings


def migrate() -> list[str]:
    """Return the migration, past manage.py: the caller holds what that would wait for."""
    return [sys.executable, "-m", "django", "migrate", "--no-input", "--verbosity=0"]


def worker() -> list[str]:
    """Return the worker: threads of one process, since jobs wait more than they compute."""
    return [
        *_celery("worker"),
        "--pool=threads",
        "--concurrency=2",
        "--without-mingle",
        "--without-gossip",
    ]


def beat() -> list[str]:
    return [*_celery("beat"), "--pidfile=", f"--schedule={settings.DATA_DIR / 'beat-schedule'}"]


def web() -> list[str]:
    """Return the web server; it believes a proxy's headers only when a proxy is named."""
    trusted = ",".join(settings.TRUSTED_PROXIES)
    proxy = [f"--forwarded-allow-ips={trusted}", "--proxy-headers"]
    return [
        *(sys.executable, "-m", "uvicorn", "brain.asgi:application"),
        f"--host={settings.HOST}",
        f"--port={settings.PORT}",
        *(proxy if trusted else ["--no-proxy-headers"]),
        "--no-server-header",
        "--no-access-log",
        "--log-level=warning",
        "--timeout-graceful-shutdown=5",
    ]


def _celery(part: str) -> list[str]:
    # Running as root is a choice that the doctor comments on; Celery's own text is a page long.
    calm = "-Wignore:You're running the worker with superuser"
    return [
        *(sys.executable, calm, "-m", "celery"),
        *("--quiet", "--app=brain", part, "--loglevel=WARNING"),
    ]
