"""Unexpected errors to Sentry, without anything that people wrote."""

from django.core.exceptions import ImproperlyConfigured


def report_errors_to(dsn: str, *, release: str) -> None:
    """Start the reports; raises ImproperlyConfigured when sentry-sdk is not installed.

    Local variables, request bodies, headers and log lines may hold a memory or a token: none is
    sent, only the kind of the error and the places in the code.
    """
    try:
        import sentry_sdk  # noqa: PLC0415  an extra that most do without
    except ImportError as error:
        raise ImproperlyConfigured(
            "BRAIN_SENTRY_DSN is set, but sentry-sdk is not installed: pip install sentry-sdk"
        ) from error
    sentry_sdk.init(
        dsn=dsn,
        release=release,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=0,
        before_send=without_contents,
    )


def without_contents(event: dict[str, object], _hint: dict[str, object]) -> dict[str, object]:
    """Return the event without the request, the message and the texts of errors."""
    for name in ("request", "message", "logentry", "extra", "user", "breadcrumbs"):
        event.pop(name, None)
    exceptions = event.get("exception")
    if isinstance(exceptions, dict):
        for each in exceptions.get("values", []):
            # A database error quotes the row.
            each.pop("value", None)
    return event
