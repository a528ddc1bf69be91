"""Sliding-window rate limits shared by all processes, kept in Valkey.

What guards a secret counts with `count_against` and stays shut while Valkey is away; what only
guards the machine counts with `admit` and stays open (docs/decisions/0020-limits.md).
"""

import hashlib
import logging
import math
import time
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError
from redis.retry import Retry

from brain.lib.errors import TooManyError, UnavailableError

logger = logging.getLogger(__name__)

# A Valkey that hangs must not make everybody hang; the library would also retry for seconds.
ANSWERS_WITHIN = 0.5
NOT_ASKED_AGAIN_FOR = 5.0

_SENTENCES = {
    "token": _("This token sends too many requests."),
    "account": _("This account sends too many requests."),
    "network": _("Too many requests come from this network address."),
}


@dataclass(frozen=True, slots=True)
class Count:
    """One event of `who`, for the limit of this name in `settings.RATE_LIMITS`."""

    name: str
    who: str


@dataclass(slots=True)
class _Outage:
    """When Valkey may be asked again, after it did not answer."""

    until: float = 0.0


_outage = _Outage()


@cache
def _limiter(address: str) -> SlidingWindowCounterRateLimiter:
    return SlidingWindowCounterRateLimiter(_storage(address))


@cache
def _storage(address: str) -> RedisStorage:
    pool = ConnectionPool.from_url(
        address.replace("redis+unix:", "unix:"),
        socket_timeout=ANSWERS_WITHIN,
        socket_connect_timeout=ANSWERS_WITHIN,
        retry=Retry(NoBackoff(), 1),
    )
    return RedisStorage(address, connection_pool=pool, wrap_exceptions=True)


@cache
def _parsed(limit: str) -> RateLimitItem:
    return parse(limit)


def count_against(limit: str, *who: str, message: str = "Too many requests.") -> None:
    """Count one event of `who` against `limit` (such as "5/10minutes", or "" for none).

    Raises TooManyError when the window is full, and UnavailableError when Valkey does not
    answer: what is limited guards a secret, so it stays shut rather than unguarded.
    """
    if not limit:
        return
    limiter, item, key = _limiter(settings.RATE_LIMIT_URL), _parsed(limit), _nameless(*who)
    try:
        if limiter.hit(item, key):
            return
        wait = _wait(item, key)
    except StorageError as error:
        raise UnavailableError("Sign-in is not possible right now.") from error
    raise TooManyError(message, retry_after=wait, hint=_hint(wait))


def admit(*counts: Count) -> None:
    """Count one event against each of the limits, all in one round trip.

    Raises TooManyError when one of them is full. While Valkey does not answer everybody is let
    in, and it is not asked again for some seconds.
    """
    wanted = [(count, limit) for count in counts if (limit := settings.RATE_LIMITS[count.name])]
    if not wanted or time.monotonic() < _outage.until:
        return
    items = [(_parsed(limit), _nameless(count.name, count.who)) for count, limit in wanted]
    try:
        for (count, _limit), item, is_room in zip(wanted, items, _hits(items), strict=True):
            if not is_room:
                sentence = str(_SENTENCES[count.name.partition(":")[2]])
                wait = _wait(*item)
                raise TooManyError(sentence, retry_after=wait, hint=_hint(wait))
    except (RedisError, StorageError) as error:
        _outage.until = time.monotonic() + NOT_ASKED_AGAIN_FOR
        logger.warning("Requests are not limited right now: %s.", type(error).__name__)


def _hits(items: list[tuple[RateLimitItem, str]]) -> list[bool]:
    """Run the library's own script for each window, in one pipeline."""
    storage = _storage(settings.RATE_LIMIT_URL)
    script = storage.lua_acquire_sliding_window
    pipeline = storage.storage.pipeline(transaction=False)
    for item, key in items:
        # As the library names its two windows of a key.
        window = storage.prefixed_key(f"{{{item.key_for(key)}}}")
        pipeline.evalsha(script.sha, 2, f"{window}/-1", window, item.amount, item.get_expiry(), 1)
    try:
        return [bool(answer) for answer in pipeline.execute()]
    except NoScriptError:
        # Valkey was restarted; the others find it then.
        storage.storage.script_load(script.script)
        return _hits(items)


def _wait(item: RateLimitItem, key: str) -> int:
    """Return after how many seconds there is room for one more."""
    stats = _limiter(settings.RATE_LIMIT_URL).get_window_stats(item, key)
    return max(1, math.ceil(stats.reset_time - time.time()))


def _hint(seconds: int) -> str:
    if seconds < 60:  # noqa: PLR2004
        said = ngettext(
            "Try again in %(seconds)d second.", "Try again in %(seconds)d seconds.", seconds
        )
        return said % {"seconds": seconds}
    minutes = -(-seconds // 60)
    said = ngettext(
        "Try again in %(minutes)d minute.", "Try again in %(minutes)d minutes.", minutes
    )
    return said % {"minutes": minutes}


def _nameless(*who: str) -> str:
    """Return what is counted under: nobody's address or token can be read in Valkey."""
    key = hashlib.blake2b(settings.SECRET_KEY.encode(), digest_size=32).digest()
    return hashlib.blake2b("\0".join(who).encode(), key=key, digest_size=16).hexdigest()
