"""Background doors of the gateway."""

from celery import shared_task


@shared_task(ignore_result=True)
def clear_oauth() -> None:
    """Delete expired tokens and codes, and clients that registered and never came back."""
    from mcp_gateway.services import clearing  # noqa: PLC0415

    clearing.clear_oauth()
