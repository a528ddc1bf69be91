"""REST: save, revise, forget and checkpoint, through the services of every other door."""

from django.http import HttpResponse
from ninja import Status

from brain.lib.problems import problem
from memories.api.bodies import CheckpointIn, ForgetIn, ReviseIn, SaveIn
from memories.api.presenters import memory_out, tagged, written_out
from memories.api.requests import (
    WRITE_PROBLEMS,
    IdempotencyKey,
    IfMatch,
    MemoryId,
    RestRequest,
    SpaceId,
    etag_on,
    expected_version,
)
from memories.api.routes import router
from memories.api.schemas import ConflictOut, WrittenOut
from memories.models import Memory
from memories.rules.checkpoints import CheckpointFields
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.once import Sent, Written, write_once
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, save_memory
from spaces.access import writable_space
from spaces.models import Space

_CREATED = {"created": 201, "replaced": 201, "held": 202}


class MovedOnError(Exception):
    """The memory is not at the version any more that `If-Match` names."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory.pk)
        self.memory = memory


@router.post(
    "/memories",
    operation_id="save_memory",
    tags=["memories"],
    response={200: WrittenOut, 201: WrittenOut, 202: WrittenOut, **WRITE_PROBLEMS},
    openapi_extra=etag_on(200, 201, 202),
)
def save_fact(
    request: RestRequest,
    response: HttpResponse,
    space_id: SpaceId,
    body: SaveIn,
    key: IdempotencyKey,
) -> Status[WrittenOut]:
    """Save a fact: 201 created, 200 it was known and is confirmed, 202 it waits for review."""
    space = writable_space(space_id, request.actor)

    def run() -> Written:
        saved = save_memory(space=space, actor=request.actor, draft=Draft(**body.dict()))
        return Written(
            saved.outcome,
            str(saved.memory.pk),
            saved.memory.version,
            saved.redacted,
            similar=tuple(str(memory.pk) for memory in saved.near.similar),
            disagrees_with=tuple(str(memory.pk) for memory in saved.near.disagrees_with),
        )

    sent = Sent(request.actor, key, _text("save", body))
    return _answer(space, write_once(sent, space=space, kind=Written, run=run), tag=response)


@router.patch(
    "/memories/{memory_id}",
    operation_id="revise_memory",
    tags=["memories"],
    response={200: WrittenOut, 412: ConflictOut, **WRITE_PROBLEMS},
    openapi_extra=etag_on(200, 412),
)
def revise_fact(  # noqa: PLR0913, PLR0917  two headers beside what the address and the body say
    request: RestRequest,
    response: HttpResponse,
    space_id: SpaceId,
    memory_id: MemoryId,
    body: ReviseIn,
    key: IdempotencyKey,
    if_match: IfMatch,
) -> Status[WrittenOut] | HttpResponse:
    """Change what is sent and keep the rest; with If-Match only the version that it names."""
    space, version = writable_space(space_id, request.actor), expected_version(if_match)

    def run() -> Written:
        revision = Revision(**body.dict(), expected_version=version)
        revised = revise_memory(
            space=space, actor=request.actor, memory_id=memory_id, revision=revision
        )
        if revised.outcome == "conflict":
            raise MovedOnError(revised.memory)
        memory = revised.memory
        return Written(revised.outcome, str(memory.pk), memory.version, revised.redacted)

    sent = Sent(request.actor, key, _text(f"revise {memory_id} {version}", body))
    try:
        written = write_once(sent, space=space, kind=Written, run=run)
    except MovedOnError as error:
        return _moved_on(error.memory)
    return _answer(space, written, tag=response)


@router.post(
    "/memories/{memory_id}/forget",
    operation_id="forget_memory",
    tags=["memories"],
    response={200: WrittenOut, **WRITE_PROBLEMS},
    openapi_extra=etag_on(200),
)
def forget_fact(
    request: RestRequest,
    response: HttpResponse,
    space_id: SpaceId,
    memory_id: MemoryId,
    body: ForgetIn,
    key: IdempotencyKey,
) -> Status[WrittenOut]:
    """Stop loading a memory; it stays readable as history."""
    space = writable_space(space_id, request.actor)

    def run() -> Written:
        forgotten = forget_memory(
            space=space, actor=request.actor, memory_id=memory_id, reason=body.reason
        )
        return Written(forgotten.outcome, str(memory_id), forgotten.memory.version)

    sent = Sent(request.actor, key, _text(f"forget {memory_id}", body))
    return _answer(space, write_once(sent, space=space, kind=Written, run=run), tag=response)


@router.post(
    "/checkpoints",
    operation_id="save_checkpoint",
    tags=["memories"],
    response={201: WrittenOut, **WRITE_PROBLEMS},
    openapi_extra=etag_on(201),
)
def keep_checkpoint(
    request: RestRequest,
    response: HttpResponse,
    space_id: SpaceId,
    body: CheckpointIn,
    key: IdempotencyKey,
) -> Status[WrittenOut]:
    """Keep the state of a task; it replaces the earlier checkpoint of the same task."""
    space = writable_space(space_id, request.actor)

    def run() -> Written:
        fields = CheckpointFields(**body.dict())
        kept = checkpoint_task(space=space, actor=request.actor, fields=fields)
        return Written(kept.outcome, str(kept.memory.pk), kept.memory.version, kept.redacted)

    sent = Sent(request.actor, key, _text("checkpoint", body))
    return _answer(space, write_once(sent, space=space, kind=Written, run=run), tag=response)


def _text(what: str, body: SaveIn | ReviseIn | ForgetIn | CheckpointIn) -> str:
    return f"{what} {body.model_dump_json()}"


def _answer(space: Space, written: Written, *, tag: HttpResponse) -> Status[WrittenOut]:
    shown = written_out(space, written)
    tagged(tag, shown.memory.version)
    return Status(_CREATED.get(written.outcome, 200), shown)


def _moved_on(memory: Memory) -> HttpResponse:
    response = problem(
        412,
        code="moved_on",
        detail=f"The memory is at version {memory.version} now; nothing was written.",
        hint="Look at the current text, then send its ETag as If-Match.",
        current=memory_out(memory).model_dump(mode="json"),
    )
    tagged(response, memory.version)
    return response
