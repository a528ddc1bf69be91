"""Keep an uploaded file in the database until it is in: workers may run on other machines."""

from typing import IO
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotAllowedError, NotFoundError
from brain.lib.sanitising import without_secrets
from memories.models import AT_WORK, Stage, Transfer, TransferPart
from memories.services.transfer.queueing import go_on_later
from memories.services.transfer.sealing import seal, unsealed
from spaces.isolation import inside
from spaces.models import Space

PART = 1024 * 1024


class TooLargeError(DomainError):
    code = "file_too_large"


class ImportOpenError(DomainError):
    code = "import_open"
    hint = "Finish it or cancel it first."


def start_import(*, space: Space, actor: Actor, file: IO[bytes], name: str = "") -> Transfer:
    """Store the file and have it looked through; nothing of the space changes yet.

    A script may hand a file in as well; only the person can have it brought in.
    """
    plain = "".join(char if char.isprintable() else " " for char in name)
    clean = without_secrets(" ".join(plain.split())).text[:120]
    with inside(space):
        transfer = Transfer(
            space=space,
            user=actor.user,
            door=actor.door,
            client_key=actor.client_key,
            client_name=actor.client_name,
            file_name=clean,
        )
        try:
            with transaction.atomic():
                transfer.save(force_insert=True)
        except IntegrityError as error:
            raise ImportOpenError("Another import into this space is not finished.") from error
        _store(transfer, file)
    go_on_later(transfer)
    return transfer


def _store(transfer: Transfer, file: IO[bytes]) -> None:
    limit = settings.IMPORT_MAX_MB * 1024 * 1024
    while piece := file.read(PART):
        transfer.size += len(piece)
        if transfer.size > limit:
            raise TooLargeError(
                "The file has more than %(limit)d MB.",
                limit=settings.IMPORT_MAX_MB,
                hint="Whoever runs the server can raise BRAIN_IMPORT_MAX_MB.",
            )
        transfer.part_count += 1
        TransferPart.objects.create(
            space_id=transfer.space_id,
            transfer=transfer,
            number=transfer.part_count,
            data=seal(piece),
        )
    if not transfer.size:
        raise DomainError("The file is empty.", hint="Choose a file that Agents Brain exported.")
    transfer.save(update_fields=["size", "part_count"])


class StoredFile:
    """The file as a stream; holds one part in memory, and no transaction open."""

    def __init__(self, transfer: Transfer) -> None:
        self._transfer = transfer
        self._left = b""
        self.parts_read = 0

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, none at the end."""
        if not self._left:
            self._left = self._next()
        end = len(self._left) if size < 0 else size
        piece, self._left = self._left[:end], self._left[end:]
        return piece

    def _next(self) -> bytes:
        with inside(self._transfer.space_id):
            parts = TransferPart.objects.filter(
                space_id=self._transfer.space_id,
                transfer=self._transfer,
                number=self.parts_read + 1,
            )
            data = parts.values_list("data", flat=True).first()
        if data is None:
            return b""
        self.parts_read += 1
        return unsealed(bytes(data))


def confirm_import(*, space: Space, actor: Actor, transfer_id: UUID) -> Transfer:
    """Bring in what was shown; doing it again changes nothing."""
    if not actor.is_person:
        raise NotAllowedError("Only the person can do this.", hint="Ask them to.")
    with inside(space):
        transfer = _held(space, transfer_id)
        if transfer.stage == Stage.READY:
            transfer.stage, transfer.position, transfer.tries = Stage.IMPORTING, 0, 0
            transfer.redacted = {}
            transfer.save(update_fields=["stage", "position", "tries", "redacted"])
    if transfer.stage in AT_WORK:
        go_on_later(transfer)
    return transfer


def drop_import(*, space: Space, actor: Actor, transfer_id: UUID) -> None:
    """Remove the file and what was found in it. What is in stays in.

    A script can take back what it handed in itself, until the person has agreed to it.
    """
    with inside(space):
        transfer = _held(space, transfer_id)
        if not (actor.is_person or _is_takeable_back(transfer, actor)):
            raise NotAllowedError("Only the person can do this.", hint="Ask them to.")
        transfer.delete()


def _is_takeable_back(transfer: Transfer, actor: Actor) -> bool:
    is_open = transfer.stage in {Stage.CHECKING, Stage.READY}
    return is_open and transfer.client_key == actor.client_key


def _held(space: Space, transfer_id: UUID) -> Transfer:
    rows = Transfer.objects.select_for_update(of=("self",)).filter(space=space, pk=transfer_id)
    transfer = rows.select_related("user").first()
    if transfer is None:
        raise NotFoundError(
            "There is no such import.", hint="It may have been finished or removed."
        )
    return transfer
