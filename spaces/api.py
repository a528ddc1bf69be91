"""REST: the spaces of the signed-in person."""

from typing import Annotated
from uuid import UUID

from ninja import Path, Router, Schema
from pydantic import ConfigDict

from accounts.http import SignedInRequest
from brain.lib.problems import ProblemOut
from spaces.access import readable_space
from spaces.models import Space

router = Router(tags=["spaces"])


_ID = "0d5b7a1e-5a52-4c39-9a4f-6b7f3f1f2a10"
SpaceId = Annotated[UUID, Path(description="The space, as in its MCP address.", examples=[_ID])]
PROBLEMS = {401: ProblemOut, 404: ProblemOut, 413: ProblemOut, 422: ProblemOut, 429: ProblemOut}


class SpaceOut(Schema):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": _ID,
                    "name": "Work",
                    "description": "What the team decided.",
                    "language": "en",
                    "mcp_url": f"https://brain.example.org/mcp/{_ID}",
                }
            ]
        }
    )

    id: UUID
    name: str
    description: str
    language: str
    mcp_url: str


@router.get("/spaces", response={200: list[SpaceOut], **PROBLEMS})
def list_spaces(request: SignedInRequest) -> list[Space]:
    """List the person's spaces, by name; for the dashboard's session, since a key has one."""
    return list(Space.objects.of(request.user))


@router.get("/spaces/{space_id}", response={200: SpaceOut, **PROBLEMS})
def read_space(request: SignedInRequest, space_id: SpaceId) -> Space:
    """Return one space; a stranger's does not exist."""
    return readable_space(space_id, request.actor)
