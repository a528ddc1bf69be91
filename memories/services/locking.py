"""Find a memory of a space and hold it until the transaction ends."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Literal
from uuid import UUID

from django.db import OperationalError, connection
from psycopg.errors import DeadlockDetected

from brain.lib.errors import NotFoundError, UnavailableError
from memories.models import Memory
from memories.rules.facts import sha256
from spaces.isolation import inside
from spaces.models import Space


class GaveWayError(UnavailableError):
    code = "gave_way"
    hint = "Nothing was written: send it again."


@contextmanager
def changing(space: Space) -> Iterator[None]:
    """Enter the space for a change that may have to wait for another one.

    When the two wait for each other, as when they swap facts, PostgreSQL lets one of them go:
    that one raises GaveWayError, and nothing of it was written.
    """
    try:
        with inside(space):
            yield
    except OperationalError as error:
        if isinstance(error.__cause__, DeadlockDetected):
            raise GaveWayError("Another change to the same memories was quicker.") from error
        raise


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


def held_at_once(space: Space, memory_ids: Collection[UUID]) -> dict[UUID, Memory]:
    """Return those of the memories that nobody else is changing, held until the transaction ends.

    For jobs: it never waits, so that no job stands in a line with saves or in a deadlock.
    """
    rows = Memory.objects.select_for_update(skip_locked=True, no_key=True)
    found = rows.filter(space=space, pk__in=memory_ids).order_by("pk")
    return {memory.pk: memory for memory in found}


def hold_at_once(what: Literal["comparing"], space: Space) -> bool:
    """Let only one transaction at a time pass, and the others know that they are not it."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_xact_lock(%s)", [_number(what, space, "")])
        (is_ours,) = cursor.fetchone()
    return bool(is_ours)


def hold(what: Literal["room", "task", "wording"], space: Space, name: str) -> None:
    """Let only one transaction at a time pass for `name` (PostgreSQL advisory lock)."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s)", [_number(what, space, name)])


def _number(what: str, space: Space, name: str) -> int:
    return int(sha256(f"{what}:{space.pk}:{name}")[:15], 16)
