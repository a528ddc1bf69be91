"""Write the immutable history of a memory, and keep its current text in step."""

from datetime import datetime

from accounts.actors import Actor
from memories.models import Author, Memory, MemoryVersion, Operation
from memories.rules.facts import fact_key, sha256
from memories.rules.paths import key_of
from memories.services.cleaning import Cleaner


def stamp(memory: Memory, actor: Actor) -> None:
    """Note in the row which app and which agent the text comes from."""
    memory.client_key = actor.client_key
    memory.client_name = actor.client_name
    memory.agent_instance = actor.agent_instance


def derive(memory: Memory) -> None:
    """Set what follows from content and path; they are never set apart from them."""
    memory.content_sha256 = sha256(memory.content)
    memory.fact_key = fact_key(memory.content)
    memory.path_key = key_of(memory.path)


def take_text(memory: Memory, version: MemoryVersion) -> None:
    """Put the text of an earlier version into the row in memory, by today's rules on secrets."""
    cleaner = Cleaner(memory.space)
    memory.kind = version.kind
    memory.path = cleaner.again(version.path, in_path=True)
    for name in ("content", "source", "rationale"):
        setattr(memory, name, cleaner.again(getattr(version, name)))
    memory.checkpoint = cleaner.tree_again(version.checkpoint)


def write_version(
    memory: Memory, actor: Actor, operation: Operation, *, reason: str = "", now: datetime
) -> MemoryVersion:
    """Add the memory's present text as the version `memory.version`."""
    return MemoryVersion.objects.create(
        space_id=memory.space_id,
        memory=memory,
        number=memory.version,
        kind=memory.kind,
        path=memory.path,
        content=memory.content,
        content_sha256=memory.content_sha256,
        source=memory.source,
        rationale=memory.rationale,
        checkpoint=memory.checkpoint,
        operation=operation,
        reason=reason,
        author=memory.author,
        changed_by=actor.user,
        client_key=actor.client_key,
        client_name=actor.client_name,
        agent_instance=actor.agent_instance,
        created_at=now,
    )


def author_of(actor: Actor, *, asked: str = "") -> str:
    """Return who counts as the author: an agent never writes as the person."""
    if actor.is_person:
        return Author.USER
    return Author.TOOL if asked == Author.TOOL else Author.AGENT
