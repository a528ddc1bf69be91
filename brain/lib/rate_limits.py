"""Sliding-window rate limits shared by all processes, kept in Valkey."""

import math
import time
from functools import cache

from django.conf import settings
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import SlidingWindowCounterRateLimiter

from brain.lib.errors import TooManyError, UnavailableError


@cache
def _limiter(address: str) -> SlidingWindowCounterRateLimiter:
    storage = storage_from_string(address, wrap_exceptions=True)
    return SlidingWindowCounterRateLimiter(storage)


@cache
def _parsed(limit: str) -> RateLimitItem:
    return parse(limit)


def count_against(limit: str, *who: str, message: str = "Too many requests.") -> None:
    """Count one event of `who` against `limit` (such as "5/10minutes").

    Raises TooManyError when the window is full, and UnavailableError when Valkey does not
    answer: what is limited guards a secret, so it stays shut rather than unguarded.
    """
    limiter, item = _limiter(settings.RATE_LIMIT_URL), _parsed(limit)
    try:
        if limiter.hit(item, *who):
            return
        reset_at = limiter.get_window_stats(item, *who).reset_time
    except StorageError as error:
        raise UnavailableError("Sign-in is not possible right now.") from error
    wait = max(1, math.ceil(reset_at - time.time()))
    raise TooManyError(message, retry_after=wait)
