"""REST: read and find memories."""

from typing import Annotated, Literal

from django.http import HttpResponse
from ninja import Field, Query, Schema

from memories.api.presenters import detail_out, memories_out, memory_out, tagged, version_out
from memories.api.requests import (
    PROBLEMS,
    Cursor,
    Limit,
    MemoryId,
    RestRequest,
    SpaceId,
    etag_on,
)
from memories.api.routes import router
from memories.api.schemas import (
    AnyKind,
    CheckpointsOut,
    HitOut,
    MemoryDetailOut,
    MemoryPage,
    PathOut,
    PathsOut,
    SearchOut,
    Standing,
    VersionOut,
)
from memories.models import Way
from memories.queries.detail import memory_detail
from memories.queries.programs import RowsAsked, memory_rows
from memories.queries.resume import resume
from memories.queries.search import MAX_LIMIT, search
from memories.services.recalling import Received, note_reads
from spaces.access import readable_space

PathFilter = Annotated[
    str, Query(description="Only this path and everything below it.", examples=["Project"])
]
TaskFilter = Annotated[
    str, Query(description="Only the checkpoint of this task.", examples=["Move the docs"])
]


class ListQuery(Schema):
    state: Standing | Literal[""] = Field(
        "", description="How they stand now; all without.", examples=["active"]
    )
    kind: AnyKind | Literal[""] = Field("", description="Only this kind.", examples=["decision"])
    author: Literal["user", "agent", "tool", ""] = Field(
        "", description="Only what this one wrote.", examples=["agent"]
    )
    path: str = Field(
        "", description="This path and everything below it.", examples=["Project.Api"]
    )
    after: Cursor = ""
    limit: Limit = 50


class SearchQuery(Schema):
    query: str = Field(
        description="Words, a question, or the id of a memory.",
        min_length=1,
        examples=["how do we answer errors?"],
    )
    path: str = Field(
        "", description="Only this path and everything below it.", examples=["Project"]
    )
    kind: list[AnyKind] = Field([], description="Only these kinds.", examples=[["decision"]])
    limit: Annotated[
        int,
        Field(ge=1, le=MAX_LIMIT, description=f"How many, 1 to {MAX_LIMIT}.", examples=[5]),
    ] = 5


@router.get("/memories", tags=["memories"], response={200: MemoryPage, **PROBLEMS})
def list_memories(request: RestRequest, space_id: SpaceId, asked: Query[ListQuery]) -> MemoryPage:
    """List memories in the order in which they were first written."""
    space = readable_space(space_id, request.actor)
    page = memory_rows(space, RowsAsked(**asked.dict()))
    received = Received([row.pk for row in page.rows], Way.LISTED)
    note_reads(space=space, actor=request.actor, received=received)
    return MemoryPage(items=memories_out(page.rows), after=page.after)


@router.get("/search", tags=["memories"], response={200: SearchOut, **PROBLEMS})
def search_memories(
    request: RestRequest, space_id: SpaceId, asked: Query[SearchQuery]
) -> SearchOut:
    """Find what holds now, by meaning and by word, best first."""
    space = readable_space(space_id, request.actor)
    found = search(
        space=space,
        query=asked.query,
        path_filter=asked.path,
        kinds=asked.kind,
        limit=asked.limit,
    )
    received = Received([hit.memory.pk for hit in found.hits], Way.SEARCHED, query=asked.query)
    note_reads(space=space, actor=request.actor, received=received)
    return SearchOut(
        results=[
            HitOut(memory=memory_out(hit.memory), why=hit.why, score=hit.score)
            for hit in found.hits
        ],
        disagreements=list(found.disagreements),
        is_close=found.is_close,
        meaning=found.by_meaning,
        more=found.more,
    )


@router.get("/paths", tags=["memories"], response={200: PathsOut, **PROBLEMS})
def list_paths(request: RestRequest, space_id: SpaceId, path: PathFilter = "") -> PathsOut:
    """List the paths in use with how many memories hold there, the fullest first."""
    found = search(space=readable_space(space_id, request.actor), path_filter=path)
    items = [PathOut(path=each.path, count=each.count) for each in found.paths]
    return PathsOut(items=items, more=found.more)


@router.get("/checkpoints", tags=["memories"], response={200: CheckpointsOut, **PROBLEMS})
def list_checkpoints(
    request: RestRequest, space_id: SpaceId, task: TaskFilter = ""
) -> CheckpointsOut:
    """Return the checkpoints in progress, newest first, or the one of a task."""
    space = readable_space(space_id, request.actor)
    resumed = resume(space=space, task=task)
    received = Received([each.pk for each in resumed.checkpoints], Way.RESUMED, query=task)
    note_reads(space=space, actor=request.actor, received=received)
    return CheckpointsOut(
        items=memories_out(resumed.checkpoints),
        nearest_tasks=list(resumed.nearest_tasks),
        more=resumed.more,
        disagreements=list(resumed.disagreements),
    )


@router.get(
    "/memories/{memory_id}",
    tags=["memories"],
    response={200: MemoryDetailOut, **PROBLEMS},
    openapi_extra=etag_on(200),
)
def read_memory(
    request: RestRequest, response: HttpResponse, space_id: SpaceId, memory_id: MemoryId
) -> MemoryDetailOut:
    """Return one memory, whatever its state, with all its sources; the ETag names its version."""
    space = readable_space(space_id, request.actor)
    detail = memory_detail(space, memory_id)
    received = Received([memory_id], Way.LOOKED_UP)
    note_reads(space=space, actor=request.actor, received=received)
    tagged(response, detail.memory.version)
    return detail_out(detail)


@router.get(
    "/memories/{memory_id}/versions",
    tags=["memories"],
    response={200: list[VersionOut], **PROBLEMS},
)
def list_versions(request: RestRequest, space_id: SpaceId, memory_id: MemoryId) -> list[VersionOut]:
    """Return what the memory said over time, newest first (the last hundred versions)."""
    space = readable_space(space_id, request.actor)
    detail = memory_detail(space, memory_id)
    received = Received([memory_id], Way.LOOKED_UP)
    note_reads(space=space, actor=request.actor, received=received)
    return [version_out(version) for version in detail.versions]
