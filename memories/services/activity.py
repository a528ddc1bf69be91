"""The activity log: the one way to write it, and the place that every change passes."""

from accounts.actors import Actor
from memories.models import Activity, Memory, Undoing, Verb
from memories.services.linking import link_after
from memories.services.queueing import ask_for_vectors, compare_again
from memories.services.telling import tell

_BACK = (Verb.RESTORED, Verb.UNDONE, Verb.REVERTED, Verb.RESCHEDULED, Verb.CONFIRMED)


def record(
    memory: Memory,
    actor: Actor,
    verb: Verb,
    *,
    reason: str = "",
    version: int | None = None,
    undoing: Undoing | None = None,
) -> Activity:
    """Write one line, inside the transaction of the change; it is about the present version.

    The row must be as the change left it, since the line notes how the memory stands now.
    Open pages and the worker that makes vectors hear of it after the commit.
    """
    link_after(memory, verb)
    if verb in _BACK:
        compare_again(memory)
    tell(memory.space_id, "memories")
    ask_for_vectors(memory.space_id)
    return Activity.objects.create(
        space_id=memory.space_id,
        memory=memory,
        verb=verb,
        version=version or memory.version,
        reason=reason,
        user=actor.user,
        door=actor.door,
        is_agent=actor.is_agent,
        client_key=actor.client_key,
        client_name=actor.client_name,
        agent_instance=actor.agent_instance,
        standing=standing_of(memory),
        undoing=undoing,
    )


def standing_of(memory: Memory) -> dict[str, object]:
    """Return how the memory stands, without its text, as a line of the log keeps it."""
    return {
        "state": memory.state,
        "expires_at": memory.expires_at.isoformat() if memory.expires_at else None,
        "is_forgotten_by_person": memory.is_forgotten_by_person,
        "superseded_by": str(memory.superseded_by_id) if memory.superseded_by_id else None,
    }
