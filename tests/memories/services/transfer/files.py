"""Exports as bytes and as JSON, and imports that run to their end in the test."""

import io
import json
from typing import Any

from accounts.actors import Actor
from memories.models import Transfer
from memories.services.transfer.exporting import write_space
from memories.services.transfer.storing import confirm_import, start_import
from memories.services.transfer.working import go_on
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_actor


def exported(space: Space, *, has_events: bool = False) -> bytes:
    out = io.BytesIO()
    write_space(space, out, has_events=has_events)
    return out.getvalue()


def sent(answer: Any) -> bytes:
    """Return the body of an answer that is sent piece by piece."""
    return b"".join(answer.streaming_content)


def read(file: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file)
    return found


def comparable(file: bytes) -> dict[str, Any]:
    """Return all that must be alike after a round trip: everything but the date and the space."""
    found = read(file)
    del found["exported_at"], found["space"]
    return found


def written(file: dict[str, Any]) -> bytes:
    return json.dumps(file).encode()


def checked(space: Space, file: bytes, *, actor: Actor | None = None) -> Transfer:
    """Upload the file and have it looked through."""
    actor = actor or make_actor(space.owner)
    transfer = start_import(space=space, actor=actor, file=io.BytesIO(file), name="export.json")
    while go_on(space, transfer.pk):
        pass
    return reloaded(transfer)


def imported(space: Space, file: bytes) -> Transfer:
    """Bring the file in, all the way."""
    transfer = checked(space, file)
    confirm_import(space=space, actor=make_actor(space.owner), transfer_id=transfer.pk)
    while go_on(space, transfer.pk):
        pass
    return reloaded(transfer)


def reloaded(transfer: Transfer) -> Transfer:
    with inside(transfer.space_id):
        return Transfer.objects.get(pk=transfer.pk)


def verdicts(transfer: Transfer) -> dict[str, str]:
    """Return what became of each memory of the file, by its id."""
    with inside(transfer.space_id):
        items = transfer.items.filter(space=transfer.space_id).order_by("number")
        return {str(item.memory_id): item.verdict for item in items}
