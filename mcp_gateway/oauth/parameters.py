"""What can't be in any parameter of the endpoints."""

from django.http import HttpRequest


def has_nul(request: HttpRequest) -> bool:
    """Tell whether a parameter holds what PostgreSQL can't, and so can match nothing."""
    sent = (request.GET, request.POST)
    return any("\0" in value for each in sent for _, values in each.lists() for value in values)
