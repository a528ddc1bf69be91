"""What `up` says: what runs where, and how to connect a first agent."""

from django.conf import settings


def opening() -> str:
    """Say which data services are used and where the data lies."""
    database = settings.DATABASES["default"]
    lines = [f"Agents Brain {settings.VERSION} is starting."]
    if settings.EMBEDDED_DATABASE:
        lines.append("  database  embedded PostgreSQL, for this machine only (no DATABASE_URL)")
    else:
        place = database["HOST"] or "a local socket"
        lines.append(f"  database  external: {database['NAME']} on {place} (DATABASE_URL)")
    if settings.EMBEDDED_BROKER:
        lines.append("  broker    embedded Valkey, for this machine only (no BROKER_URL)")
    else:
        lines.append("  broker    external (BROKER_URL)")
    if settings.EMBEDDED_DATABASE or settings.EMBEDDED_BROKER:
        what = "all of it; back this folder up" if settings.EMBEDDED_DATABASE else "queued jobs"
        lines.append(f"  data      {settings.DATA_DIR}  <- {what}")
        lines.append(f"  logs      {settings.FOLDER.logs}, and this terminal")
    return "\n".join(lines)


def ready(*, seconds: float) -> str:
    """Say that it can be used, and how to begin."""
    terminal = "smtp" not in settings.EMAIL_BACKEND
    code = "appears in this terminal" if terminal else "comes by e-mail"
    return f"""
Ready after {seconds:.1f} s:  {settings.PUBLIC_URL}

  Connect a first agent:
  1. Open the address and sign in with your e-mail address; the code {code}.
  2. Create a space.
  3. Copy the line for your agent from the space's page "Connect".

  Ctrl-C stops everything; nothing is lost.
"""
