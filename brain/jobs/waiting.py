"""What waits for a worker: messages in the queue, and memories that the tables say need work."""

import time
from dataclasses import dataclass

import redis
from celery import current_app
from kombu.exceptions import OperationalError

from memories.queries.waiting import waiting_in
from spaces.models import Space

# A page must not take longer than this, however many spaces there are.
SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Waiting:
    """Counts over the spaces that could be looked into in time."""

    without_vector: int
    uncompared: int
    spaces_seen: int
    spaces: int


def waiting_memories(*, seconds: float = SECONDS) -> Waiting:
    """Count memories that lack a vector or a comparison, space by space, as isolation wants it."""
    deadline = time.monotonic() + seconds
    without_vector = uncompared = seen = 0
    for space in Space.objects.order_by("-created_at").iterator():
        if time.monotonic() > deadline:
            break
        waiting = waiting_in(space)
        without_vector += waiting.without_vector
        uncompared += waiting.uncompared
        seen += 1
    return Waiting(without_vector, uncompared, seen, Space.objects.count())


def queued_messages() -> int | None:
    """Return how many jobs are queued and not yet taken, or None when the broker is away."""
    try:
        with current_app.connection_for_read() as connection:
            connection.ensure_connection(max_retries=1, timeout=2)
            queue = current_app.conf.task_default_queue
            client: redis.Redis = connection.default_channel.client  # type: ignore[attr-defined]
            return int(client.llen(queue))
    except (OperationalError, OSError, redis.RedisError):
        return None
