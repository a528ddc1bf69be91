"""Note which client received which memory, without any search waiting for it.

One thread a process writes the lines, one short transaction for each answer; what cannot be
written is dropped. A lost line is tolerable, a slow search is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.hints import HintSender, keep_across_forks
from brain.lib.sanitising import without_secrets
from memories.models import Recall, Way
from memories.queries.search import QUERY_MAX
from spaces.isolation import inside
from spaces.models import Space

QUERY_KEPT = 500

_writer = HintSender(name="reads")
keep_across_forks(_writer)


@dataclass(frozen=True, slots=True)
class Received:
    """What an answer handed to a client, in its order; `query` is what it had asked for."""

    memory_ids: Sequence[UUID]
    way: Way
    query: str = ""


def note_reads(*, space: Space, actor: Actor, received: Received) -> None:
    """Have the reads written soon, by another thread, after the commit of what is open.

    What people look at themselves is nobody's business.
    """
    if received.memory_ids and actor.is_agent:
        write = partial(_write_alone, space, actor, received, timezone.now())
        transaction.on_commit(partial(_writer.send_later, write))


def flush(*, timeout: float = 5.0) -> bool:
    """Wait for the reads that this process has yet to write; say whether all were."""
    return _writer.flush(timeout=timeout)


def _write_alone(space: Space, actor: Actor, received: Received, at: datetime) -> None:
    try:
        write_reads(space=space, actor=actor, received=received, at=at)
    except IntegrityError:
        # The space was deleted meanwhile, with its ledger.
        return
    finally:
        connection.close()


def write_reads(*, space: Space, actor: Actor, received: Received, at: datetime) -> None:
    """Write one line for each memory, in one statement; a secret in the query becomes a marker."""
    query = _kept(space, received.query)
    lines = [
        Recall(
            space_id=space.pk,
            memory_id=memory_id,
            way=received.way,
            query=query,
            client_key=actor.client_key,
            client_name=actor.client_name,
            agent_instance=actor.agent_instance,
            at=at,
        )
        for memory_id in dict.fromkeys(received.memory_ids)
    ]
    with inside(space):
        with connection.cursor() as cursor:
            # A crash may cost the last moments of the ledger; nothing waits for the disk.
            cursor.execute("set local synchronous_commit = off")
        Recall.objects.bulk_create(lines)


def _kept(space: Space, query: str) -> str:
    if not space.keeps_queries:
        return ""
    plain = "".join(char if char.isprintable() else " " for char in query[:QUERY_MAX])
    clean = without_secrets(" ".join(plain.split()), with_personal=space.auto_redact_pii)
    return clean.text[:QUERY_KEPT]
