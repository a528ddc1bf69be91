"""REST: the spaces of the signed-in person."""

from uuid import UUID

from ninja import Router, Schema

from accounts.http import SignedInRequest
from spaces.access import readable_space
from spaces.models import Space

router = Router(tags=["spaces"])


class SpaceOut(Schema):
    id: UUID
    name: str
    description: str
    language: str
    mcp_url: str


@router.get("/spaces", response=list[SpaceOut])
def list_spaces(request: SignedInRequest) -> list[Space]:
    """List the person's spaces, by name."""
    return list(Space.objects.of(request.user))


@router.get("/spaces/{space_id}", response=SpaceOut)
def read_space(request: SignedInRequest, space_id: UUID) -> Space:
    """Return one space; a stranger's does not exist."""
    return readable_space(space_id, request.actor)
