"""Find a memory of a space and hold it until the transaction ends."""

from typing import Literal
from uuid import UUID

from django.db import connection

from brain.lib.errors import NotFoundError
from memories.models import Memory
from memories.rules.facts import sha256
from spaces.models import Space


def locked_memory(space: Space, memory_id: UUID) -> Memory:
    """Return the memory; every change of one memory waits for the one before it.

    Raises NotFoundError, the same for an id of another space and an id of none.
    """
    # Two changes at once must not write two versions of one number.
    memory = Memory.objects.select_for_update().filter(space=space, pk=memory_id).first()
    if memory is None:
        raise no_such_memory()
    return memory


def no_such_memory() -> NotFoundError:
    return NotFoundError(
        "There is no memory with this id in this space.", hint="Search for it to get its id."
    )


def hold(what: Literal["task"], space: Space, name: str) -> None:
    """Let only one transaction at a time pass for `name` (PostgreSQL advisory lock)."""
    number = int(sha256(f"{what}:{space.pk}:{name}")[:15], 16)
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s)", [number])
