"""Tell the worker that a space has work; the rows say what it is, a sweep finds what is lost."""

from functools import partial
from uuid import UUID

from brain.lib.hints import send_after_commit
from memories import tasks
from memories.models import Memory
from spaces.models import Space


def ask_for_vectors(space_id: UUID) -> None:
    """Queue the job after the commit; a missing broker neither fails nor delays the change."""
    send = partial(tasks.embed_missing_in.delay, str(space_id))
    send_after_commit(send, key=("vectors", space_id))


def compare_again(memory: Memory) -> None:
    """Let the job compare a memory anew that was away while others came."""
    Memory.objects.filter(pk=memory.pk).update(compared_version=None)
    memory.compared_version = None


def ask_for_tidying(space: Space) -> None:
    """Queue what follows from another choice of what the space keeps."""
    if not space.keeps_queries:
        tidy = partial(tasks.tidy_reads.delay, str(space.pk))
        send_after_commit(tidy, key=("tidying", space.pk))
