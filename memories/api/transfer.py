"""REST: take a space along as a file, and hand a file in; only the person has it brought in."""

import hashlib
import tempfile
from typing import IO, Annotated
from uuid import UUID

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.text import slugify
from ninja import Field, File, Query, Schema, Status, UploadedFile

from brain.bodies import address_takes_up_to
from brain.lib.downloads import as_download
from brain.lib.errors import NotFoundError
from memories.api.presenters import import_out
from memories.api.requests import (
    PROBLEMS,
    WRITE_PROBLEMS,
    IdempotencyKey,
    ImportId,
    RestRequest,
    SpaceId,
)
from memories.api.routes import router
from memories.api.transfer_schemas import ExportOut, ImportOut, ImportsOut, Verdict
from memories.models import Memory, Way
from memories.queries.transfers import current_import, shown_import
from memories.services.once import Begun, Sent, write_once
from memories.services.recalling import Received, note_reads
from memories.services.transfer.exporting import write_space
from memories.services.transfer.storing import confirm_import, drop_import, start_import
from memories.services.transfer.tidying import take_up_again
from spaces.access import owned_space, readable_space, writable_space
from spaces.isolation import inside
from spaces.models import Space

Uploaded = Annotated[UploadedFile, File(description="A file that Agents Brain exported.")]


class ExportQuery(Schema):
    events: bool = Field(
        default=False, description="With the activity log, which no import reads.", examples=[False]
    )


class ImportQuery(Schema):
    verdict: Verdict | None = Field(
        None, description="Which memories are listed; what needs a look first.", examples=["new"]
    )
    after: int = Field(0, ge=0, lt=2**31, description="The after of the page before.", examples=[0])


address_takes_up_to(
    "api:hand_in_file", lambda: (settings.IMPORT_MAX_MB << 20) + settings.MAX_BODY_BYTES
)


@router.get("/export", tags=["transfer"], response={200: ExportOut, **PROBLEMS})
def export_space(
    request: RestRequest, space_id: SpaceId, asked: Query[ExportQuery]
) -> StreamingHttpResponse:
    """Return everything that the space remembers, as one file that an import reads."""
    space = readable_space(space_id, request.actor)
    out = tempfile.TemporaryFile()  # noqa: SIM115  closed when it is sent
    write_space(space, out, has_events=asked.events)
    if request.actor.is_agent:
        note_reads(space=space, actor=request.actor, received=Received(_all(space), Way.LISTED))
    name = f"{slugify(space.name) or 'space'}-{timezone.localdate().isoformat()}.json"
    return as_download(request, out, name=name, kind="application/json")


@router.get("/imports", tags=["transfer"], response={200: ImportsOut, **PROBLEMS})
def list_imports(request: RestRequest, space_id: SpaceId) -> ImportsOut:
    """Return the import that is open, or else the last one whose report is still there."""
    space = readable_space(space_id, request.actor)
    current = current_import(space)
    return ImportsOut(items=[_shown(space, current.pk)] if current else [])


@router.post(
    "/imports",
    operation_id="start_import",
    tags=["transfer"],
    response={202: ImportOut, **WRITE_PROBLEMS},
)
def hand_in_file(
    request: RestRequest, space_id: SpaceId, file: Uploaded, key: IdempotencyKey
) -> Status[ImportOut]:
    """Have a file looked through. Nothing of the space changes before the person agrees."""
    space = writable_space(space_id, request.actor)
    sent = Sent(request.actor, key, f"import {_fingerprint(file) if key else ''}")

    def run() -> Begun:
        begun = start_import(space=space, actor=request.actor, file=file, name=file.name or "")
        return Begun(str(begun.pk))

    begun = write_once(sent, space=space, kind=Begun, run=run)
    return Status(202, _shown(space, UUID(begun.import_id)))


@router.get("/imports/{import_id}", tags=["transfer"], response={200: ImportOut, **PROBLEMS})
def read_import(
    request: RestRequest, space_id: SpaceId, import_id: ImportId, asked: Query[ImportQuery]
) -> ImportOut:
    """Return what the file would do or did, how far it is, and 25 of its memories."""
    space = readable_space(space_id, request.actor)
    return _shown(space, import_id, verdict=asked.verdict or "", after=asked.after)


@router.post(
    "/imports/{import_id}/confirm",
    operation_id="confirm_import",
    tags=["transfer"],
    response={202: ImportOut, **PROBLEMS},
)
def confirm_file(request: RestRequest, space_id: SpaceId, import_id: ImportId) -> Status[ImportOut]:
    """Bring in what was shown, as the person: with the dashboard's session, never with a key."""
    space = owned_space(space_id, request.actor)
    confirm_import(space=space, actor=request.actor, transfer_id=import_id)
    return Status(202, _shown(space, import_id))


@router.delete(
    "/imports/{import_id}",
    operation_id="remove_import",
    tags=["transfer"],
    response={204: None, **PROBLEMS},
)
def remove_file(request: RestRequest, space_id: SpaceId, import_id: ImportId) -> Status[None]:
    """Remove the file and what was found in it; a key removes only what it handed in itself."""
    space = writable_space(space_id, request.actor)
    drop_import(space=space, actor=request.actor, transfer_id=import_id)
    return Status(204, None)


def _shown(space: Space, import_id: UUID, *, verdict: str = "", after: int = 0) -> ImportOut:
    shown = shown_import(space, import_id, verdict=verdict, after=after)
    if shown is None:
        raise NotFoundError(
            "There is no such import.", hint="It may have been finished or removed."
        )
    take_up_again(shown.transfer)
    return import_out(shown)


def _all(space: Space) -> list[UUID]:
    with inside(space):
        return list(Memory.objects.in_space(space).values_list("pk", flat=True))


def _fingerprint(file: IO[bytes]) -> str:
    found = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    file.seek(0)
    return found
