"""Tell the worker that a space has work; the rows say what it is, a sweep finds what is lost."""

from functools import partial
from uuid import UUID

from brain.lib.hints import send_after_commit
from memories import tasks


def ask_for_vectors(space_id: UUID) -> None:
    """Queue the job after the commit; a missing broker neither fails nor delays the change."""
    send = partial(tasks.embed_missing_in.delay, str(space_id))
    send_after_commit(send, key=("vectors", space_id))
