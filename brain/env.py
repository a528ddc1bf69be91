"""Read deployment choices from the environment; a bad value stops the start with a sentence."""

import os
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from limits import parse


def env_str(name: str, *, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, *, default: bool) -> bool:
    value = env_str(name).lower()
    if value not in {"", "true", "false"}:
        raise ImproperlyConfigured(f"{name} must be 'true' or 'false', not {value!r}.")
    return default if value == "" else value == "true"


def env_int(name: str, *, default: int, low: int, high: int) -> int:
    value = env_str(name, default=str(default))
    if not value.isdecimal() or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name} must be a number from {low} to {high}, not {value!r}.")
    return int(value)


def env_rate(name: str, *, default: str) -> str:
    """Return a rate such as 1200/minute, or nothing for no limit ("off")."""
    value = env_str(name, default=default).lower()
    if value == "off":
        return ""
    try:
        parse(value)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} must look like 1200/minute or 30/10minutes, or be off, not {value!r}."
        ) from error
    return value


def env_list(name: str) -> list[str]:
    return [part.strip() for part in env_str(name).split(",") if part.strip()]


def env_path(name: str, *, default: Path) -> Path:
    value = env_str(name)
    return Path(value).expanduser().resolve() if value else default


def env_origin(name: str, *, default: str) -> str:
    """Return scheme, host and port (RFC 6454, 4) without a slash at the end."""
    value = env_str(name, default=default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query:
        raise ImproperlyConfigured(
            f"{name} must look like https://brain.example.org, without a path, not {value!r}."
        )
    return value


def database_from_url(name: str, url: str) -> dict[str, object]:
    """Return Django's connection settings for `postgresql://user:password@host:port/database`."""
    parts = urlsplit(url)
    database = unquote(parts.path.lstrip("/"))
    if parts.scheme not in {"postgres", "postgresql"} or not database:
        raise ImproperlyConfigured(
            f"{name} must look like postgresql://user:password@host:5432/database."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def refuse_lookalikes(*, known: dict[str, str]) -> None:
    """Stop when a variable is set that somebody may take for one of ours.

    A misspelt DATABASE_URL must never end in an empty embedded database (`known` maps
    the look-alike to the name that is meant). One that says the same is no mistake: Celery's
    command line copies BROKER_URL to CELERY_BROKER_URL by itself.
    """
    for lookalike, meant in known.items():
        if env_str(lookalike) not in {"", env_str(meant)}:
            raise ImproperlyConfigured(f"{lookalike} is not read here. Did you mean {meant}?")
