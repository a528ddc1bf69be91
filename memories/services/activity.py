"""The activity log: the one way to write it."""

from accounts.actors import Actor
from memories.models import Activity, Memory, Verb


def record(
    memory: Memory, actor: Actor, verb: Verb, *, reason: str = "", version: int | None = None
) -> Activity:
    """Write one line, inside the transaction of the change; it is about the present version."""
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
    )
