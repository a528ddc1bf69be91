"""Carry a write out once, however often its request arrives."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import KeptAnswer
from memories.rules.facts import sha256
from spaces.isolation import inside
from spaces.models import Space

KEPT_FOR = timedelta(days=1)
KEY_MAX = 255


class IdempotencyKeyError(DomainError):
    code = "bad_idempotency_key"


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a write: ids and numbers only, so that it can be kept.

    `redacted` counts replaced values by type; the other two name memories.
    """

    outcome: str
    memory_id: str
    version: int
    redacted: Mapping[str, int] = field(default_factory=dict)
    similar: tuple[str, ...] = ()
    disagrees_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Begun:
    """Which import a request handed in."""

    import_id: str


Outcome = TypeVar("Outcome", Written, Begun)


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that may come twice: who sent it, under which key, and what it says."""

    actor: Actor
    key: str
    text: str


def write_once(
    sent: Sent, *, space: Space, kind: type[Outcome], run: Callable[[], Outcome]
) -> Outcome:
    """Run `run`, or return what it answered a request with the same key before.

    Both are one transaction: a request that fails keeps no key, and of two at once the second
    waits for the first. Without a key nothing is kept. Raises IdempotencyKeyError when the key
    came with another request or cannot be one.
    """
    key, actor = sent.key, sent.actor
    if not key:
        return run()
    if len(key) > KEY_MAX or not key.isprintable():
        raise IdempotencyKeyError(
            "The Idempotency-Key is too long or has control characters.",
            hint=f"Send up to {KEY_MAX} printable characters, such as a UUID.",
        )
    now = timezone.now()
    with inside(space):
        KeptAnswer.objects.filter(space=space, created_at__lt=now - KEPT_FOR).delete()
        fresh = KeptAnswer(
            space=space,
            caller=actor.client_key or f"user:{actor.user.pk}",
            key_sha256=sha256(key),
            request_sha256=sha256(sent.text),
            created_at=now,
        )
        # Waits for whoever is writing under the same key at this moment.
        KeptAnswer.objects.bulk_create([fresh], ignore_conflicts=True)
        kept = KeptAnswer.objects.get(space=space, caller=fresh.caller, key_sha256=fresh.key_sha256)
        if kept.pk != fresh.pk:
            return _replayed(kept, fresh, kind=kind)
        written = run()
        KeptAnswer.objects.filter(pk=kept.pk).update(outcome=asdict(written))
    return written


def _replayed(kept: KeptAnswer, asked: KeptAnswer, *, kind: type[Outcome]) -> Outcome:
    if kept.request_sha256 != asked.request_sha256:
        raise IdempotencyKeyError(
            "This Idempotency-Key came with another request before.",
            hint="Use a new key for a new request.",
        )
    # JSON knows no tuples.
    outcome: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in kept.outcome.items()
    }
    return kind(**outcome)
