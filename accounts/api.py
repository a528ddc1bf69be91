"""REST: who is signed in."""

from ninja import Router, Schema
from pydantic import ConfigDict

from accounts.http import SignedInRequest
from accounts.models import User
from brain.lib.problems import ProblemOut

router = Router(tags=["account"])


class MeOut(Schema):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "email": "ana@example.org",
                    "name": "Ana",
                    "language": "en",
                    "time_zone": "America/Sao_Paulo",
                }
            ]
        }
    )

    email: str
    name: str
    language: str
    time_zone: str


@router.get("/me", response={200: MeOut, 401: ProblemOut, 413: ProblemOut, 429: ProblemOut})
def read_me(request: SignedInRequest) -> User:
    """Return the signed-in person; for the dashboard's session."""
    return request.user
