"""REST: who is signed in."""

from ninja import Router, Schema

from accounts.http import SignedInRequest
from accounts.models import User

router = Router(tags=["account"])


class MeOut(Schema):
    email: str
    name: str
    language: str
    time_zone: str


@router.get("/me", response=MeOut)
def me(request: SignedInRequest) -> User:
    """Return the signed-in person."""
    return request.user
